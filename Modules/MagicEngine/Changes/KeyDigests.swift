package import MagicRuntime

/// The digests of a row's key before and after a transaction: one for each column of the key, or
/// none if there was no row. A digest that is not known yet is nil.
package struct KeyDigests: Sendable {
  package var old: [ValueDigest?]
  package var new: [ValueDigest?]

  package init(old: [ValueDigest?], new: [ValueDigest?]) {
    (self.old, self.new) = (old, new)
  }

  /// Whether the row has or had a key.
  func contain(_ key: [ValueDigest?]) -> Bool { old == key || new == key }

  var isIncomplete: Bool { (old + new).contains(nil) }

  /// Adds digests of other columns of the same row, from the same transaction.
  mutating func add(_ others: KeyDigests) {
    old = Self.known(old, others.old)
    new = Self.known(new, others.new)
  }

  private static func known(
    _ first: [ValueDigest?], _ second: [ValueDigest?]
  ) -> [ValueDigest?] {
    guard first.count == second.count else { return first.isEmpty ? second : first }
    return zip(first, second).map { $0 ?? $1 }
  }
}
