public import Foundation

/// A `Codable` type that is stored in one column, as JSON.
///
/// ```swift
/// struct Job: MagicalCodable, Equatable {
///   let title: String
///   let salary: Int
/// }
/// ```
///
/// An enumeration with a magical raw value is stored as its raw value, natively and indexable,
/// also when it is `MagicalCodable`.
public protocol MagicalCodable: Codable, Magical, MagicAssetConvert {}

extension MagicalCodable {
  /// The JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Self.self, from: storedValue)
  }
}

extension MagicalCodable where Self: RawRepresentable, RawValue: Magical {
  /// The raw value's stored form.
  public var storedValue: RawValue.StoredValue { get throws { try rawValue.storedValue } }

  /// Reads the raw value; one without a case throws.
  public init(storedValue: RawValue.StoredValue) throws {
    self = try Self.magical(rawStoredValue: storedValue)
  }
}

extension Magical where Self: RawRepresentable, RawValue: Magical {
  /// The raw value's stored form.
  public var storedValue: RawValue.StoredValue { get throws { try rawValue.storedValue } }

  /// Reads the raw value; one without a case throws.
  public init(storedValue: RawValue.StoredValue) throws {
    self = try Self.magical(rawStoredValue: storedValue)
  }

  fileprivate static func magical(rawStoredValue: RawValue.StoredValue) throws -> Self {
    guard let value = try Self(rawValue: RawValue(storedValue: rawStoredValue)) else {
      throw MagicalError.cannotDecode("the stored value is no case of \(Self.self)")
    }
    return value
  }
}
