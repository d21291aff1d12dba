public import Foundation

/// A type whose values can be the content of a file, for use with `MagicAsset`.
///
/// Strings and data are the content of the file without conversion. Arrays, sets and dictionaries
/// of `Codable` values and every ``MagicalCodable`` type are stored as JSON. A type of your own
/// converts itself to and from bytes:
///
/// ```swift
/// struct Waveform: MagicAssetConvert {
///   var samples: [UInt8]
///
///   var assetData: Data { Data(samples) }
///   init(assetData: Data) { samples = [UInt8](assetData) }
/// }
/// ```
public protocol MagicAssetConvert: SendableMetatype {
  /// The content of the file.
  ///
  /// - Throws: ``MagicalError`` when the value cannot be converted to bytes.
  var assetData: Data { get throws }

  /// Creates the value from the content of a file.
  ///
  /// - Throws: ``MagicalError`` when the content is not valid for the type.
  init(assetData: Data) throws
}

extension Data: MagicAssetConvert {
  /// The bytes.
  public var assetData: Data { self }

  /// Creates the value from the bytes.
  public init(assetData: Data) { self = assetData }
}

extension String: MagicAssetConvert {
  /// The text as UTF-8.
  public var assetData: Data { Data(utf8) }

  /// Decodes the bytes as UTF-8; invalid UTF-8 throws.
  public init(assetData: Data) throws {
    guard assetData.withUnsafeBytes({ UTF8Validation.isValid($0) }) else {
      throw MagicalError.invalidUTF8
    }
    self.init(decoding: assetData, as: UTF8.self)
  }
}

extension MagicalCodable {
  /// The value as JSON.
  public var assetData: Data { get throws { try JSONColumn.encode(self) } }

  /// Decodes the JSON; malformed JSON throws.
  public init(assetData: Data) throws { self = try JSONColumn.decode(Self.self, from: assetData) }
}

extension Array: MagicAssetConvert where Element: Codable {
  /// The bytes of an array of `UInt8`, the JSON of every other array.
  public var assetData: Data { get throws { try storedValue } }

  /// Creates an array of `UInt8` from the bytes, and decodes the JSON of every other array;
  /// malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}

extension Set: MagicAssetConvert where Element: Codable {
  /// The elements as JSON, in a deterministic order, as in a column.
  public var assetData: Data { get throws { try storedValue } }

  /// Decodes the JSON; malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}

extension Dictionary: MagicAssetConvert where Key: Codable, Value: Codable {
  /// The value as JSON.
  public var assetData: Data { get throws { try storedValue } }

  /// Decodes the JSON; malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}
