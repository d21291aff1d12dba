import MagicEngine
import MagicPostgreSQL
import PostgreSQLTables

/// A row of a type. Its columns are the row ID and the type's columns.
///
/// The statements of the type and the memory of texts do not end before the row.
struct TypeRow<Row: PostgreSQLRow>: PackableRow {
  let row: Row
  /// The types of the type's columns.
  private let types: UnsafePointer<PostgreSQLType>
  /// The index of the column of the row ID.
  private let first: Int
  private unowned(unsafe) let texts: TextMemory

  init(_ row: Row, first: Int = 0, _ statements: TypeStatements, _ texts: TextMemory) {
    self.row = row
    self.first = first
    types = statements.typeMemory
    self.texts = texts
  }

  var rowID: Int64 { row.value(first).integer }

  func value(_ index: Int) -> ResultColumn {
    ResultColumn(row.value(first + 1 + index), types[index], texts)
  }
}
