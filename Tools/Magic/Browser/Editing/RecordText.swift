import Foundation
import MagicData
import MagicInspection

/// Values of records as the texts of fields, for objects that are not stored yet.
enum RecordText {
  /// JSON has no infinity; the texts are those of ``JSONNode``.
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// Returns the texts of the properties that a record contains.
  static func texts<Model: MagicObject>(
    of record: MagicRecord<Model>, _ fields: [EditField]
  ) throws -> [String: FieldText] {
    let data = try encoder.encode(record)
    let values = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    var texts: [String: FieldText] = [:]
    for field in fields {
      if let value = values[field.property] { texts[field.property] = text(of: value, field) }
    }
    return texts
  }

  private static func text(of value: Any, _ field: EditField) -> FieldText {
    guard !(value is NSNull) else { return .null }
    guard case .column(let column) = field.source else {
      // A new object refers to no stored object.
      return .text("")
    }
    switch (column.form, value) {
    case (.json, _): return FieldText(document(value))
    case (.bool, let number as NSNumber): return .text(number.boolValue ? "true" : "false")
    case (.date, let number as NSNumber): return .text(InspectedDate.text(number.doubleValue))
    case (.real, let number as NSNumber):
      return FieldText(InspectedValue(.real(number.doubleValue)).text(as: .real))
    case (_, let text as String): return FieldText(text)
    case (_, let number as NSNumber): return .text(number.stringValue)
    default: return .null
    }
  }

  private static func document(_ value: Any) -> String? {
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) }
  }
}
