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
/// An enumeration with a magical raw value is stored as its raw value, even if it conforms to
/// `MagicalCodable`, so that an index can be used for it.
public protocol MagicalCodable: Codable, Magical, MagicAssetConvert {}

extension MagicalCodable {
  /// The value as JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Decodes the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Self.self, from: storedValue)
  }
}

extension MagicalCodable where Self: RawRepresentable, RawValue: Magical {
  /// The column value of the raw value.
  public var storedValue: RawValue.StoredValue { get throws { try rawValue.storedValue } }

  /// Creates the value from a raw value; an unknown raw value throws.
  public init(storedValue: RawValue.StoredValue) throws {
    self = try Self.magical(rawStoredValue: storedValue)
  }
}

extension Magical where Self: RawRepresentable, RawValue: Magical {
  /// The column value of the raw value.
  public var storedValue: RawValue.StoredValue { get throws { try rawValue.storedValue } }

  /// Creates the value from a raw value; an unknown raw value throws.
  public init(storedValue: RawValue.StoredValue) throws {
    self = try Self.magical(rawStoredValue: storedValue)
  }

  fileprivate static func magical(rawStoredValue: RawValue.StoredValue) throws -> Self {
    guard let value = try Self(rawValue: RawValue(storedValue: rawStoredValue)) else {
      throw MagicalError.cannotDecode("the stored value is not a raw value of \(Self.self)")
    }
    return value
  }
}
