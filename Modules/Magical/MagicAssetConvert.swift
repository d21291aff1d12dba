public import Foundation

/// A type whose values can be the content of a file, as `MagicAsset` keeps them.
///
/// Texts and data lie in the file as they are, arrays, sets and dictionaries of `Codable` values and
/// every ``MagicalCodable`` type as JSON. A type of your own says how it becomes bytes and back:
///
/// ```swift
/// struct Waveform: MagicAssetConvert {
///   var samples: [UInt8]
///
///   var assetData: Data { Data(samples) }
///   init(assetData: Data) { samples = [UInt8](assetData) }
/// }
/// ```
public protocol MagicAssetConvert {
  /// The file's content.
  ///
  /// - Throws: ``MagicalError`` where the value has none.
  var assetData: Data { get throws }

  /// Makes the value from a file's content.
  ///
  /// - Throws: ``MagicalError`` where the content is no value of the type.
  init(assetData: Data) throws
}

extension Data: MagicAssetConvert {
  /// The bytes.
  public var assetData: Data { self }

  /// Takes the bytes.
  public init(assetData: Data) { self = assetData }
}

extension String: MagicAssetConvert {
  /// The text as UTF-8.
  public var assetData: Data { Data(utf8) }

  /// Reads UTF-8; what is none throws.
  public init(assetData: Data) throws {
    guard assetData.withUnsafeBytes({ UTF8Validation.isValid($0) }) else {
      throw MagicalError.invalidUTF8
    }
    self.init(decoding: assetData, as: UTF8.self)
  }
}

extension MagicalCodable {
  /// The JSON.
  public var assetData: Data { get throws { try JSONColumn.encode(self) } }

  /// Reads the JSON; malformed JSON throws.
  public init(assetData: Data) throws { self = try JSONColumn.decode(Self.self, from: assetData) }
}

extension Array: MagicAssetConvert where Element: Codable {
  /// The JSON; bytes as they are.
  public var assetData: Data { get throws { try storedValue } }

  /// Reads the JSON, or takes the bytes; malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}

extension Set: MagicAssetConvert where Element: Codable {
  /// The JSON, in an order that the elements give.
  public var assetData: Data { get throws { try storedValue } }

  /// Reads the JSON; malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}

extension Dictionary: MagicAssetConvert where Key: Codable, Value: Codable {
  /// The JSON.
  public var assetData: Data { get throws { try storedValue } }

  /// Reads the JSON; malformed JSON throws.
  public init(assetData: Data) throws { try self.init(storedValue: assetData) }
}
