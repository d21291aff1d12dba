import Foundation
@_spi(Tools) import MagicData
import MagicInspection

/// How the values of records are stored.
extension DescribedImport {
  /// Returns what is stored for a value of a record.
  ///
  /// - Throws: ``FieldProblem``.
  func content(
    _ value: MagicRecordReader.Value, _ column: InspectedColumn,
    _ transaction: borrowing MagicTransaction
  ) throws -> Content {
    if value == .null {
      guard column.isOptional else { throw FieldProblem(message: "A value is needed.") }
      return .stored(.null)
    }
    guard column.form == .one else { return .stored(try Self.stored(value, column)) }
    guard let target = column.target.flatMap(database.type(ofTable:)) else {
      throw FieldProblem(message: "It refers to no type.")
    }
    if let primary = target.probablePrimary {
      let key = try Self.stored(value, primary)
      if let found = try rowID(primary, key, in: target, transaction) {
        return .stored(.integer(found))
      }
      // Only objects of the imported type can follow.
      if target.table == type.table { return .pending(key: key) }
    } else if case .integer(let rowID) = value,
      try DescribedRows.exists(rowID, target.table, transaction)
    {
      return .stored(.integer(rowID))
    }
    throw FieldProblem(
      message: "There is no object of the type \(InspectedText.line(target.name)) with this value."
    )
  }

  private static func stored(
    _ value: MagicRecordReader.Value, _ column: InspectedColumn
  ) throws -> MagicSQLValue {
    switch value {
    case .null: return .null
    case .bytes(let bytes): return .blob(Data(bytes))
    case .uuid(let bytes):
      let data = Data(bytes)
      guard column.form == .uuid else { return .blob(data) }
      let uuid = data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
      return .text(UUID(uuid: uuid).uuidString)
    case .json(let document):
      return try DescribedValue(column: column).storedValue(ofDocument: document)
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .integer(let number): return try checked(.integer(number), column)
    case .real(let number): return try checked(.real(number), column)
    case .text(let text):
      guard column.form != .decimal else {
        return try DescribedValue(column: column).storedValue(
          try DescribedValue.decimal(text, isImported: true))
      }
      return try checked(.string(text), column)
    }
  }

  private static func checked(
    _ node: JSONNode, _ column: InspectedColumn
  ) throws -> MagicSQLValue {
    let value = try DescribedValue(column: column).storedValue(node)
    guard column.form == .enumeration else { return value }
    let isCase = column.cases.contains { known in
      switch (known.stored, value) {
      case (.integer(let left), .integer(let right)): left == right
      case (.real(let left), .real(let right)): left == right
      case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
      default: false
      }
    }
    guard isCase else { throw FieldProblem(message: "The value is not a case of the type.") }
    return value
  }

  /// Returns the row with a value of a unique property; nil if there is none.
  func rowID(
    _ column: InspectedColumn, _ value: MagicSQLValue, in type: InspectedType,
    _ transaction: borrowing MagicTransaction
  ) throws -> Int64? {
    try transaction.sql(
      """
      SELECT z_index FROM \(raw: type.table.quoted) \
      WHERE \(raw: column.column.quoted) = \(sql: value.sql)
      """
    ).value(Int64.self)
  }

  static func kind(
    of column: InspectedColumn, _ database: InspectedDatabase
  ) -> MagicRecordReader.Kind {
    guard !column.isGuess else { return .unsupported }
    switch column.form {
    case .text where !DescribedValue.hasKnownValues(column),
      .integer where !DescribedValue.hasKnownValues(column) && !column.isRowID,
      .real where !DescribedValue.hasKnownValues(column):
      return .unsupported
    case .enumeration:
      guard !column.cases.isEmpty else { return .unsupported }
      return switch column.declaredType.uppercased() {
      case "INTEGER": .integer
      case "": .real
      default: .text
      }
    case .text, .url: return .text
    case .decimal: return .decimal
    case .integer: return .integer
    case .real: return .real
    case .bool: return .boolean
    case .date: return .date
    case .uuid, .uuidBytes: return .uuid
    case .data: return ["Data", "Array<UInt8>"].contains(column.swiftType) ? .bytes : .unsupported
    case .json: return .json
    case .one:
      guard let target = column.target.flatMap(database.type(ofTable:)) else { return .unsupported }
      return .reference(target.probablePrimary.map { kind(of: $0, database) } ?? .integer)
    default: return .unsupported
    }
  }
}
