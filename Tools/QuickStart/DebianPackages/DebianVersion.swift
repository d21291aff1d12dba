/// A version in the order of dpkg: `epoch:upstream-revision` (Debian Policy, 5.6.12).
///
/// Runs of digits are compared as numbers; letters sort before other characters, and `~` before the
/// end: `1.0~rc1` < `1.0` < `1.0a` < `1.0+b1` < `1.10` < `1:0`.
package struct DebianVersion: Sendable {
  private let epoch: ArraySlice<UInt8>
  private let upstream: ArraySlice<UInt8>
  private let revision: ArraySlice<UInt8>

  /// Parses any text. A missing epoch or revision is empty.
  package init(_ text: String) {
    var bytes = Array(text.utf8)[...]
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[..<colon].allSatisfy(\.isDigit) {
      epoch = bytes[..<colon]
      bytes = bytes[(colon + 1)...]
    } else {
      epoch = []
    }
    let hyphen = bytes.lastIndex(of: UInt8(ascii: "-")) ?? bytes.endIndex
    upstream = bytes[..<hyphen]
    revision = bytes[hyphen...].dropFirst()
  }

  private func isOrdered(before other: DebianVersion) -> Bool? {
    Self.isOrdered(epoch, before: other.epoch)
      ?? Self.isOrdered(upstream, before: other.upstream)
      ?? Self.isOrdered(revision, before: other.revision)
  }

  /// Compares two parts; nil if they are equal.
  private static func isOrdered(
    _ first: ArraySlice<UInt8>, before second: ArraySlice<UInt8>
  ) -> Bool? {
    var first = first
    var second = second
    while !first.isEmpty || !second.isEmpty {
      while first.first?.isDigit == false || second.first?.isDigit == false {
        let weights = (weight(first.popUnlessDigit()), weight(second.popUnlessDigit()))
        if weights.0 != weights.1 { return weights.0 < weights.1 }
      }
      let numbers = (first.popNumber(), second.popNumber())
      if numbers.0.count != numbers.1.count { return numbers.0.count < numbers.1.count }
      if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
    }
    return nil
  }

  private static func weight(_ byte: UInt8?) -> Int {
    guard let byte else { return 0 }
    if byte == UInt8(ascii: "~") { return -1 }
    return byte.isLetter ? Int(byte) : Int(byte) + 256
  }
}

extension DebianVersion: Comparable {
  package static func == (first: DebianVersion, second: DebianVersion) -> Bool {
    first.isOrdered(before: second) == nil
  }

  package static func < (first: DebianVersion, second: DebianVersion) -> Bool {
    first.isOrdered(before: second) == true
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func popUnlessDigit() -> UInt8? {
    first?.isDigit == false ? popFirst() : nil
  }

  /// Removes and returns the leading digits, without leading zeros.
  fileprivate mutating func popNumber() -> ArraySlice<UInt8> {
    let end = firstIndex { !$0.isDigit } ?? endIndex
    defer { self = self[end...] }
    return self[..<end].drop { $0 == UInt8(ascii: "0") }
  }
}
