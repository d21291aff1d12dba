/// Computes with numbers as Swift does.
package enum NumberComputation {
  /// Returns a number without its fraction; nil if it is out of range.
  package static func integer(_ real: Double) -> Int64? {
    Int64(exactly: real.rounded(.towardZero))
  }
}
