import Foundation
import MagicSchema
import Magical

extension MagicID: Codable {
  /// Decodes a primary value or, if the type has no primary, a row ID.
  ///
  /// - Throws: `DecodingError`, and `MagicError` if the type cannot be stored as it is declared.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let column = try Self.primaryColumn else {
      key = .row(try container.decode(Int64.self))
      return
    }
    do {
      guard let key = try column.key(from: container) else {
        throw MagicalError.cannotDecode("it is no primary value")
      }
      self.key = key
    } catch let error as MagicalError {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The identifier of a \(Model.self) is invalid: \(error).")
    }
  }

  /// Encodes the primary value as it is stored or, if the type has no primary, the row ID.
  ///
  /// - Throws: `EncodingError` for the identifier of an object that has neither.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch key {
    case .primary(.text(let text)): try container.encode(text)
    case .primary(.integer(let integer)), .row(let integer): try container.encode(integer)
    case .primary(.real(let real)): try container.encode(real)
    case .primary(.data(let data)):
      if let text = Self.uuidText(data) {
        try container.encode(text)
      } else {
        try container.encode(data)
      }
    case .unsaved:
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "A \(Model.self) that is not saved has no identifier that can be "
            + "encoded. Save it first."))
    }
  }

  /// Returns the text of a UUID that is stored as bytes; nil for the bytes of another type.
  private static func uuidText(_ data: Data) -> String? {
    guard let column = try? primaryColumn, column.isUUIDOfBytes else { return nil }
    return try? MagicUUID(storedValue: data).uuid.uuidString
  }

  /// The column of the primary; nil if the type has none.
  static var primaryColumn: (any IdentifyingColumn)? {
    get throws {
      let schema = try ObjectSchema.of(Model.self)
      return schema.primary.flatMap { schema.columns[$0] as? any IdentifyingColumn }
    }
  }
}

/// An identifier as text, for example in the path of a URL.
extension MagicID: LosslessStringConvertible {
  /// Creates the identifier that a text describes; nil if the text is no primary value, or no row
  /// ID, of the type.
  public init?(_ description: String) {
    guard let column = try? Self.primaryColumn else {
      guard (try? ObjectSchema.of(Model.self)) != nil, let row = Int64(description) else {
        return nil
      }
      key = .row(row)
      return
    }
    guard let key = column.key(text: description) else { return nil }
    self.key = key
  }

  /// The primary value as it is stored or the row ID; a primary that is stored as bytes in Base64, or
  /// as the text of the UUID if it is a `MagicUUID`.
  /// "unsaved" for an object that has neither.
  public var description: String {
    switch key {
    case .primary(.text(let text)): text
    case .primary(.integer(let integer)), .row(let integer): String(integer)
    case .primary(.real(let real)): "\(real)"
    case .primary(.data(let data)): Self.uuidText(data) ?? data.base64EncodedString()
    case .unsaved: "unsaved"
    }
  }
}
