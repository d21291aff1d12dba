import DatabaseTransfer
import Foundation
import MagicExchange
import MagicRuntime
import MagicSchema
import Magical

/// What the fields of a column are converted to.
enum ImportedForm: Sendable {
  case scalar(TransferredKind)
  case date
  /// JSON as the field contains it.
  case json
  /// The primary value of an object.
  indirect case link(ImportedForm)
}

/// A property whose values are fields of CSV.
protocol ImportedProperty: PropertySchema {
  /// The form of the values; nil if a field cannot contain them.
  var importedForm: ImportedForm? { get throws }
}

extension TypedColumn: ImportedProperty {
  var importedForm: ImportedForm? {
    if isFile { return nil }
    if ValueForm(Value.self) == .date { return .date }
    switch DocumentForm(Value.self) {
    case .json: return .json
    case .scalar(let kind): return .scalar(kind)
    }
  }
}

extension TypedToOneColumn: ImportedProperty {
  var importedForm: ImportedForm? {
    get throws {
      let schema = try target
      guard let primary = schema.primary else { return .link(.scalar(.integer)) }
      return try (schema.columns[primary] as? any ImportedProperty)?.importedForm.map { .link($0) }
    }
  }
}

extension ImportedForm {
  /// Returns the JSON of a field; nil if the field contains no value.
  ///
  /// - Parameters:
  ///   - field: the content of the field in UTF-8.
  ///   - isQuoted: whether the field is in quotes.
  ///   - isOptional: whether the value may be nil.
  /// - Throws: `ConversionFault`.
  func json(
    _ field: ArraySlice<UInt8>, isQuoted: Bool, isOptional: Bool, _ dates: MagicImportDates
  ) throws -> [UInt8]? {
    if field.isEmpty {
      switch self {
      case .scalar(.text) where isQuoted || !isOptional, .scalar(.blob) where isQuoted:
        return Array("\"\"".utf8)
      default: break
      }
      return isOptional ? Array("null".utf8) : nil
    }
    var json: [UInt8] = []
    switch self {
    case .json:
      // The field must not end the object that it becomes a part of.
      guard field.withUnsafeBytes({ JSONText.isValue($0) }) else {
        throw ConversionFault(reason: "the value is not one value of JSON")
      }
      return Array(field)
    case .date: JSONScalar.write(.real(try dates.seconds(field)), to: &json)
    case .link(let form):
      json += "{\"$ref\":".utf8
      json += try form.json(field, isQuoted: true, isOptional: false, dates) ?? []
      json.append(UInt8(ascii: "}"))
    case .scalar(let kind): try Self.write(field, kind, to: &json)
    }
    return json
  }

  private static func write(
    _ field: ArraySlice<UInt8>, _ kind: TransferredKind, to json: inout [UInt8]
  ) throws {
    switch kind {
    case .text:
      guard field.withUnsafeBytes({ UTF8Validation.isValid($0) }) else {
        throw ConversionFault(reason: "the text contains characters that are not valid")
      }
      field.withUnsafeBytes { JSONScalar.write(text: $0, to: &json) }
    case .integer:
      guard let integer = Int64(trimmed(field)) else {
        throw ConversionFault(reason: "the value is not an integer of 64 bits")
      }
      JSONScalar.write(.integer(integer), to: &json)
    case .real:
      let text = trimmed(field)
      let real = try ImportedNumber.infinity(text) ?? ImportedNumber.real(text.utf8)
      JSONScalar.write(.real(real), to: &json)
    case .boolean:
      guard let boolean = booleans[trimmed(field).lowercased()] else {
        throw ConversionFault(reason: "the value is not true or false")
      }
      JSONScalar.write(.boolean(boolean), to: &json)
    case .blob, .uuid:
      field.withUnsafeBytes { JSONScalar.write(text: $0, to: &json) }
    }
  }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }

  private static let booleans = [
    "true": true, "yes": true, "t": true, "y": true, "1": true,
    "false": false, "no": false, "f": false, "n": false, "0": false,
  ]
}
