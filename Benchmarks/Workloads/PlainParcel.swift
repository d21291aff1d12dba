public import Foundation

/// A parcel as a plain struct: a row whose values are stored in another form than that of Swift.
public struct PlainParcel: Sendable {
  /// One of four states, stored as its text.
  public enum State: String, CaseIterable, Sendable {
    /// Each has as many letters as a word of a sentence.
    case ordered, packed, sent, delivered
  }

  /// One of three sizes, stored as its number.
  public enum Size: Int, CaseIterable, Sendable {
    /// The numbers are 0, 1 and 2.
    case small, medium, large
  }

  /// Stored as a text of 36 characters.
  public var key: UUID
  /// Stored as text.
  public var state: State
  /// Stored as an integer.
  public var size: Size
  /// A number with two decimal places, stored as text.
  public var price: Decimal
  /// Stored as a real number of seconds.
  public var sent: Date
  /// Stored as 0 or 1.
  public var isFragile: Bool
  /// Stored as 0 or 1.
  public var isInsured: Bool

  /// All values of a parcel.
  @inlinable
  public init(
    key: UUID, state: State, size: Size, price: Decimal, sent: Date, isFragile: Bool,
    isInsured: Bool
  ) {
    self.key = key
    self.state = state
    self.size = size
    self.price = price
    self.sent = sent
    self.isFragile = isFragile
    self.isInsured = isInsured
  }

  /// Creates parcels with random keys, always the same.
  public static func make(_ count: Int) -> [PlainParcel] {
    var random = SplitMix(state: 44)
    return (0..<count).map { index in
      let cents = Decimal(index % 90_000 * 2 + 101)
      return PlainParcel(
        key: UUID(uuid: random.uuid()), state: State.allCases[index % 4],
        size: Size.allCases[index % 3],
        price: Decimal(sign: .plus, exponent: -2, significand: cents),
        sent: Date(timeIntervalSinceReferenceDate: Double(index) * 600 + 0.25),
        isFragile: index.isMultiple(of: 7), isInsured: index.isMultiple(of: 3))
    }
  }
}
