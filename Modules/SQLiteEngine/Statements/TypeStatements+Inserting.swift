import MagicBase
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The statements that insert rows of a type.
extension TypeStatements {
  /// Inserts a row. Parameters: the row ID, then the type's columns in their order. Nothing is
  /// inserted if the primary value exists, unless the table has no unique index of it now.
  ///
  /// A primary that is the row ID has a parameter too, which is not used: see ``boundColumns``.
  func insert(withoutIndexes: Bool = false) throws(SQLiteError) -> SQLiteStatement {
    try withoutIndexes
      ? statement(.insertWithoutIndexes) { insert([], ignoresDuplicates: false) }
      : statement(.insert) { insert([]) }
  }

  /// The same as ``insert(withoutIndexes:)`` for a member of an owned list. The last two parameters are the owner and
  /// the position.
  func insert(into list: LinkColumns) throws(SQLiteError) -> SQLiteStatement {
    if let cached = ownedInserts[list.owner] { return cached }
    let statement = try connection.prepare(
      insert([list.owner, list.order]), isPersistent: true)
    ownedInserts[list.owner] = statement
    return statement
  }

  /// The number of rows that ``insertBatch`` inserts. 100,000 rows with six columns take 1,160 ns each in
  /// batches of four and 850 ns in batches of sixteen, and 1,600 ns one by one. Members of small
  /// collections make smaller batches.
  static let batchCount = 8

  /// SQLite's limit of parameters, before version 3.32.
  private static let parameterLimit = 999

  /// Inserts ``batchCount`` rows. Parameters: those of ``insert(withoutIndexes:)`` for each row. The primary
  /// values are not checked, as without indexes. Nil for a type with too many columns.
  var insertBatch: SQLiteStatement? {
    get throws(SQLiteError) {
      guard Self.batchCount * (schema.columns.count + 1) <= Self.parameterLimit else { return nil }
      return try statement(.insertBatch) {
        insert([], ignoresDuplicates: false, rows: Self.batchCount)
      }
    }
  }

  /// Returns the SQL of an insert.
  ///
  /// - Parameter owned: the columns that follow those of the type.
  private func insert(
    _ owned: [String], ignoresDuplicates: Bool = true, rows: Int = 1
  ) -> String {
    let columns = schema.columns.indices.filter { !schema.columns[$0].isRowID }
    let names = ["\"z_index\""] + columns.map { schema.columns[$0].name.quoted } + owned
    let places = [-1] + columns + owned.indices.map { schema.columns.count + $0 }
    let values = (0..<rows).map { row in
      let first = row * (schema.columns.count + 1) + 2
      return "(\(places.map { "?\(first + $0)" }.joined(separator: ", ")))"
    }
    let mayExist = schema.primary != nil && ignoresDuplicates
    let conflict = mayExist ? " ON CONFLICT (\(primary)) DO NOTHING" : ""
    return "INSERT INTO \(table) (\(names.joined(separator: ", "))) "
      + "VALUES \(values.joined(separator: ", "))\(conflict)"
  }

  /// The columns whose values are bound to ``insert(withoutIndexes:)``: all but a last one that is the row ID, whose
  /// parameter does not exist.
  var boundColumns: Range<Int> {
    0..<schema.columns.count - (schema.columns.last?.isRowID == true ? 1 : 0)
  }
}
