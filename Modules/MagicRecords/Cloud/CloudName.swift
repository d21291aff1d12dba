import Foundation
import MagicSchema

/// The names that CloudKit accepts. It ends a program that uses others.
enum CloudName {
  /// The largest size of a name, in bytes.
  private static let limit = 255
  private static let separator = ":" as Character

  /// The characters that a record name contains as they are.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The names of fields that each record of CloudKit has.
  private static let reserved: Set<String> = [
    "recordID", "recordType", "recordName", "creationDate", "creatorUserRecordID", "createdAt",
    "createdBy", "modificationDate", "lastModifiedUserRecordID", "modifiedAt", "modifiedBy",
    "recordChangeTag", "parent", "share",
  ]

  /// Whether a name can be that of a record type: an ASCII letter, then letters, digits and `_`.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= limit else {
      return false
    }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Whether a name can be that of a field.
  static func isField(_ name: String) -> Bool { isIdentifier(name) && !reserved.contains(name) }

  /// Returns the record type of a type of objects.
  static func recordType(of schema: ObjectSchema) throws -> String {
    guard isIdentifier(schema.typeName) else {
      throw MagicCloudError.invalidName(
        type: schema.typeName,
        reason:
          "A record type consists of the ASCII letters and digits and of _, and begins with a "
          + "letter. The name of the type does not.")
    }
    return schema.typeName
  }

  /// Returns the record name for the text of a primary. Other characters than ASCII letters, digits,
  /// `-`, `.`, `_` and `~` are replaced by the numbers of their bytes, as in a URL.
  static func recordName(_ type: String, _ key: String) throws -> String {
    guard let encoded = key.addingPercentEncoding(withAllowedCharacters: unreserved) else {
      throw invalid(type)
    }
    let name = type + String(separator) + encoded
    guard name.utf8.count <= limit else {
      throw MagicCloudError.invalidName(
        type: type, reason: "The record name has more than \(limit) characters.")
    }
    return name
  }

  /// Returns the text of the primary in a record name.
  static func key(of name: String, type: String) throws -> String {
    guard let end = name.firstIndex(of: separator) else {
      throw MagicCloudError.invalidName(
        type: type, reason: "The record name does not begin with the name of a type and a colon.")
    }
    guard name[..<end] == type else {
      throw MagicCloudError.recordTypeMismatch(expected: type, found: String(name[..<end]))
    }
    guard let key = name[name.index(after: end)...].removingPercentEncoding else {
      throw invalid(type)
    }
    return key
  }

  /// The error for a record name with a primary that cannot be read.
  static func invalid(_ type: String) -> MagicCloudError {
    .invalidName(type: type, reason: "The record name contains no value of the primary.")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension MagicID {
  /// The name of the object's ``MagicCloudRecord``: the type, a colon, and the primary as text with
  /// characters other than ASCII letters, digits, `-`, `.`, `_` and `~` as in a URL.
  ///
  /// Row IDs, and primaries that the database assigns, differ between devices. Give types that are
  /// synchronized a primary of the type `UUID` or `MagicUUID`.
  ///
  /// - Throws: ``MagicCloudError/invalidName(type:reason:)`` if the type has no primary, the object has
  ///   no primary yet, or the name has more than 255 characters.
  public var cloudRecordName: String {
    get throws {
      let schema = try ObjectSchema.of(Model.self)
      let type = try CloudName.recordType(of: schema)
      switch key {
      case .primary: return try CloudName.recordName(type, description)
      case .row, .unsaved:
        throw MagicCloudError.invalidName(
          type: type,
          reason: schema.primary == nil
            ? "A record name is the same on all devices. Give the type a primary, such as a UUID."
            : "The object has no primary yet. Save it first.")
      }
    }
  }

  /// Creates the identifier of the object with a record name. A record that was deleted in CloudKit has
  /// only this.
  ///
  /// - Throws: ``MagicCloudError``: `recordTypeMismatch` for the name of another type's record,
  ///   `invalidName` if it contains no primary of the type.
  public init(cloudRecordName name: String) throws {
    let schema = try ObjectSchema.of(Model.self)
    let type = try CloudName.recordType(of: schema)
    let text = try CloudName.key(of: name, type: type)
    guard schema.primary != nil, let id = MagicID(text) else { throw CloudName.invalid(type) }
    self = id
  }
}
