import Magical

/// The cases of an enumeration by their column values, with what a slot of a packed row contains for
/// them.
@usableFromInline
package final class EnumerationCases: Sendable {
  private struct TextCase {
    let text: [UInt8]
    let bits: UInt64
  }

  private let texts: [TextCase]
  private let integers: [Int64: UInt64]

  /// The number of cases up to which each text is compared with those of the cases in turn.
  private static let limit = 32

  /// - Returns: nil for a type that is no enumeration, has too many cases, or is not stored in a slot.
  init?<Value: Magical>(_ type: Value.Type) {
    guard Value._packing == .inline, let cases = StoredCase.all(of: type) else { return nil }
    // A conversion of the type's own may refuse a value, or read it as another one.
    func bits(_ stored: some Any) -> UInt64? {
      guard let stored = stored as? Value.StoredValue, let value = try? Value(storedValue: stored)
      else { return nil }
      var bits: UInt64 = 0
      withUnsafeMutableBytes(of: &bits) {
        _ = $0.baseAddress?.initializeMemory(as: Value.self, to: value)
      }
      return bits
    }
    var (texts, integers) = ([TextCase](), [Int64: UInt64]())
    for stored in cases {
      switch stored {
      case .text(let text):
        if let bits = bits(text) { texts.append(TextCase(text: Array(text.utf8), bits: bits)) }
      case .integer(let integer): integers[integer] = bits(integer)
      case .real: return nil
      }
    }
    guard texts.count <= Self.limit else { return nil }
    (self.texts, self.integers) = (texts, integers)
  }

  /// Returns the bits for a text; nil if it is that of no case.
  @usableFromInline
  package func bits(text: UnsafeRawBufferPointer) -> UInt64? {
    for each in texts where each.text.count == text.count && each.text.elementsEqual(text) {
      return each.bits
    }
    return nil
  }

  /// Returns the bits for an integer; nil if it is that of no case.
  @usableFromInline
  package func bits(integer: Int64) -> UInt64? { integers[integer] }
}
