import DatabaseTransfer
import MagicEngine
import MagicExchange
import MagicRecords
import MagicSchema
import Magical

extension DocumentReader {
  func key(
    _ label: Label?, _ reference: Reference, _ schema: ObjectSchema
  ) throws -> IdentifierKey? {
    guard let primary = schema.primary else {
      if case .integer(let row)? = label { return .row(row) }
      return nil
    }
    guard let column = schema.columns[primary] as? any IdentifyingColumn else { return nil }
    return try reference.json.withUnsafeBytes { try Self.key($0, column) }
  }

  private static func key<Column: IdentifyingColumn>(
    _ json: UnsafeRawBufferPointer, _ column: Column
  ) throws -> IdentifierKey? {
    guard case .scalar(let kind) = DocumentForm(Column.Primary.self),
      let value = JSONScalar.value(json, kind), value != .null
    else { return nil }
    let primary = try? ScalarReader.with(value) { try Column.Primary.read(from: $0) }
    return try primary.flatMap { IdentifierKey(stored: try $0.storedValue) }
  }

  /// Fetches the object with a primary value or row ID; nil if there is none.
  func stored<Model: MagicObject>(_ key: IdentifierKey, as type: Model.Type) throws -> Model? {
    do {
      return try reader.object(with: MagicID<Model>(key: key))
    } catch let error as MagicError where error.code == .notFound {
      return nil
    }
  }
}
