package import Foundation

/// Codable values as JSON with sorted keys, readable with any tool for the database.
package enum JSONColumn {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  private static let decoder = JSONDecoder()

  package static func encode(_ value: some Encodable) throws -> Data {
    do {
      return try encoder.encode(value)
    } catch {
      throw MagicalError.cannotEncode("the value has no JSON form: \(reason(error))")
    }
  }

  /// The elements as a JSON array, in the order of their JSON's bytes.
  package static func encodeUnordered(_ elements: some Sequence<some Encodable>) throws -> Data {
    var texts: [Data] = []
    for element in elements { texts.append(try encode(element)) }
    texts.sort { $0.lexicographicallyPrecedes($1) }
    return Data("[".utf8) + Data(texts.joined(separator: Data(",".utf8))) + Data("]".utf8)
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw MagicalError.cannotDecode("the JSON is no \(type): \(reason(error))")
    }
  }

  /// The coding path and the kind of failure; never the value, which the errors' own texts show.
  private static func reason(_ error: any Error) -> String {
    func path(_ context: [any CodingKey]) -> String {
      let steps = context.map { $0.intValue.map(String.init) ?? "a key" }
      return steps.isEmpty ? "at the top" : "at \(steps.joined(separator: "."))"
    }
    return switch error {
    case EncodingError.invalidValue(_, let context):
      "a value cannot be encoded \(path(context.codingPath))"
    case DecodingError.dataCorrupted(let context): "it is malformed \(path(context.codingPath))"
    case DecodingError.keyNotFound(let key, let context):
      "the key \(key.stringValue) is missing \(path(context.codingPath))"
    case DecodingError.typeMismatch(let type, let context):
      "\(type) was expected \(path(context.codingPath))"
    case DecodingError.valueNotFound(let type, let context):
      "\(type) was expected, null found \(path(context.codingPath))"
    default: "\(type(of: error))"
    }
  }
}
