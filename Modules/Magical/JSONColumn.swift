package import Foundation

/// Encodes `Codable` values as JSON with sorted keys, so that any database tool can show the
/// values.
package enum JSONColumn {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let key = CodingUserInfoKey.isForStorage { encoder.userInfo[key] = true }
    return encoder
  }()

  private static let decoder = JSONDecoder()

  package static func encode(_ value: some Encodable) throws -> Data {
    do {
      return try encoder.encode(value)
    } catch {
      throw MagicalError.cannotEncode("the value cannot be encoded as JSON: \(reason(error))")
    }
  }

  /// Returns the elements as a JSON array, sorted by the bytes of each element's JSON.
  package static func encodeUnordered(_ elements: some Sequence<some Encodable>) throws -> Data {
    var texts: [Data] = []
    for element in elements { texts.append(try encode(element)) }
    texts.sort { $0.lexicographicallyPrecedes($1) }
    return Data("[".utf8) + Data(texts.joined(separator: Data(",".utf8))) + Data("]".utf8)
  }

  /// - Parameter other: a decoder for values of another form than the stored one. It may throw `MagicalError`.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, with other: JSONDecoder? = nil
  ) throws -> Value {
    do {
      return try (other ?? decoder).decode(type, from: data)
    } catch let error as MagicalError {
      throw error
    } catch {
      throw MagicalError.cannotDecode("the JSON does not decode as \(type): \(reason(error))")
    }
  }

  /// Returns the kind of failure and the coding path. The description of the underlying error is
  /// not used, because that contains the value.
  private static func reason(_ error: any Error) -> String {
    func path(_ context: [any CodingKey]) -> String {
      let steps = context.map { $0.intValue.map(String.init) ?? "<key>" }
      return steps.isEmpty ? "at the top level" : "at \(steps.joined(separator: "."))"
    }
    return switch error {
    case EncodingError.invalidValue(_, let context):
      "invalid value \(path(context.codingPath))"
    case DecodingError.dataCorrupted(let context): "malformed JSON \(path(context.codingPath))"
    case DecodingError.keyNotFound(let key, let context):
      "the key \(key.stringValue) is missing \(path(context.codingPath))"
    case DecodingError.typeMismatch(let type, let context):
      "expected \(type) \(path(context.codingPath))"
    case DecodingError.valueNotFound(let type, let context):
      "expected \(type), found null \(path(context.codingPath))"
    default: "\(type(of: error))"
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let isForStorage = CodingUserInfoKey(rawValue: "MagicData.isForStorage")
}

extension Encoder {
  /// Whether the encoder makes a column value, or the content of an asset, of a database.
  package var isForStorage: Bool {
    CodingUserInfoKey.isForStorage.map { userInfo[$0] as? Bool == true } ?? false
  }
}
