import Foundation
import MagicEngine
public import MagicExpressions
import MagicSchema

/// Predicates of texts, and typed predicates that have a text form, can be encoded: for searches that
/// an app saves.
///
/// ```swift
/// let data = try JSONEncoder().encode(MagicPredicate<Person>(text: "age > 3"))
/// let saved = try JSONDecoder().decode(MagicPredicate<Person>.self, from: data)
/// ```
///
/// The encoded form contains the names of the properties as they are in Swift, and the stored forms
/// of the values. Decoding checks it like the text of an untrusted user.
extension MagicExpression: Codable where Value == Bool {
  private enum Key: String, CodingKey {
    case version, text, arguments
  }

  private static var encodingVersion: Int { 1 }

  /// Encodes the text and the arguments.
  ///
  /// - Throws: `MagicError` with the code `invalidQuery` if a part of the predicate has no text form,
  ///   such as an object or infinity.
  public func encode(to encoder: any Encoder) throws {
    let (text, arguments) = try TextPrinter.text(of: untyped, for: Model.self, .arguments)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.encodingVersion, forKey: .version)
    try container.encode(text, forKey: .text)
    try container.encode(arguments.map(EncodedValue.init), forKey: .arguments)
  }

  /// Decodes a predicate.
  ///
  /// - Throws: `MagicError` with the code `invalidQuery` if the text or its arguments are wrong for
  ///   the type, or if a newer version of the library encoded the predicate; `DecodingError` if it is
  ///   no encoded predicate.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard try container.decode(Int.self, forKey: .version) == Self.encodingVersion else {
      throw MagicError(
        .invalidQuery, "A newer version of the library encoded the predicate. Update the library.")
    }
    let text = try container.decode(String.self, forKey: .text)
    let arguments = try container.decode([EncodedValue].self, forKey: .arguments)
    try self.init(
      checked: TextPredicate.expression(
        Model.self, text, TextArguments(stored: arguments.map(\.value))))
  }
}

/// The stored form of an argument.
private struct EncodedValue: Codable {
  let value: QueryValue

  private enum Key: String, CodingKey {
    case null, integer, real, text, blob, list
  }

  init(_ value: QueryValue) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch value {
    case .null: try container.encode(true, forKey: .null)
    case .integer(let integer): try container.encode(integer, forKey: .integer)
    case .real(let real):
      // JSON has no infinity.
      guard real.isFinite else { throw TextPrinter.unprintable }
      try container.encode(real, forKey: .real)
    case .text(let text): try container.encode(text, forKey: .text)
    case .blob(let bytes): try container.encode(Data(bytes), forKey: .blob)
    case .list(let values): try container.encode(values.map(EncodedValue.init), forKey: .list)
    case .object: throw TextPrinter.unprintable
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "An argument has no value."))
    }
    value =
      switch key {
      case .null: .null
      case .integer: .integer(try container.decode(Int64.self, forKey: .integer))
      case .real: .real(try container.decode(Double.self, forKey: .real))
      case .text: .text(try container.decode(String.self, forKey: .text))
      case .blob: .blob(Array(try container.decode(Data.self, forKey: .blob)))
      case .list:
        .list(try container.decode([EncodedValue].self, forKey: .list).map(\.value))
      }
  }
}
