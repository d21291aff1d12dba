/// An entry as a plain struct: a small row whose primary value is a whole number.
public struct PlainEntry: Sendable {
  /// The primary.
  public var id: Int
  /// A short text.
  public var title: String
  /// A real number.
  public var amount: Double

  /// All values of an entry.
  @inlinable
  public init(id: Int, title: String, amount: Double) {
    self.id = id
    self.title = title
    self.amount = amount
  }
}

extension PlainEntry {
  /// Creates entries with consecutive IDs.
  public static func make(_ count: Int, from first: Int = 1) -> [PlainEntry] {
    (first..<first + count).map {
      PlainEntry(id: $0, title: "Entry number \($0)", amount: Double($0 % 1_000) / 7)
    }
  }
}
