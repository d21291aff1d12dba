import DatabaseTransfer
import Foundation
import MagicSchema
import Magical

/// How the values of a column are converted.
///
/// The original library stores texts, numbers, UUIDs, URLs and data as they are, and every other value as
/// a blob with its JSON: enumerations, dates, Boolean values, lists and structures.
struct OriginalForm {
  private let column: ColumnSchema
  /// Nil for a column of JSON.
  private let form: ForeignForm?
  /// Checks that the type can read a value; nil for types whose form is exact.
  private let check: ((TransferredValue) throws -> Void)?

  init(_ column: ColumnSchema) {
    self.column = column
    form = ForeignForm(column)
    let isConverted = column.codec == .converted || column.codec == .decimal
    let type = isConverted ? column.valueType as? any Magical.Type : nil
    check = type.map { type in { try Self.check($0, type) } }
  }

  /// Returns a value converted exactly; nil for JSON that represents no value.
  func value(of value: ForeignValue) throws -> TransferredValue? {
    let result: TransferredValue
    switch (form, value) {
    case (.data?, .blob(let blob)): result = .blob(blob)
    case (_, .blob(let json)) where json.isEmpty:
      // The original library stores nothing if it cannot encode a value.
      return nil
    case (nil, .blob(let json)):
      guard column.storageClass == .blob else {
        throw ValueFault(reason: "the type \(column.valueType) cannot be imported")
      }
      result = .blob(json)
    case (let form?, .blob(let json)): result = try form.value(of: decoded(json, form))
    case (let form?, _): result = try form.value(of: value)
    case (nil, _): throw ValueFault(reason: "it is not the JSON of a value")
    }
    try check?(result)
    return result
  }

  /// Returns the value of a JSON document that is one number, text or Boolean value.
  private func decoded(_ json: [UInt8], _ form: ForeignForm) throws -> ForeignValue {
    let (decoder, data) = (JSONDecoder(), Data(json))
    do {
      switch form {
      case .integer: return .integer(try decoder.decode(Int64.self, from: data))
      case .bool: return .integer(try decoder.decode(Bool.self, from: data) ? 1 : 0)
      case .real, .float, .date: return .real(try decoder.decode(Double.self, from: data))
      case .decimal:
        return .text(Array(try decoder.decode(Decimal.self, from: data).description.utf8))
      case .text, .url, .uuid, .uuidBytes:
        return .text(Array(try decoder.decode(String.self, from: data).utf8))
      case .data, .asset: break
      }
    } catch {}
    throw ValueFault(reason: "it is not the JSON of a value of the type \(column.valueType)")
  }

  private static func check<Value: Magical>(
    _ value: TransferredValue, _ type: Value.Type
  ) throws {
    let stored: Any? =
      switch value {
      case .null: nil
      case .integer(let integer): integer
      case .boolean(let boolean): Int64(boolean ? 1 : 0)
      case .real(let real): real
      case .text(let text): String(decoding: text, as: UTF8.self)
      case .blob(let blob): Data(blob)
      case .uuid(let uuid): String(decoding: TransferredValue.uuidText(uuid), as: UTF8.self)
      }
    guard let stored = stored as? Value.StoredValue, (try? Value(storedValue: stored)) != nil else {
      throw ValueFault(reason: "the type \(type) cannot read it")
    }
  }
}
