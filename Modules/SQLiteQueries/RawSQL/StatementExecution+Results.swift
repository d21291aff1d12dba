package import MagicEngine
import MagicSQLite
import MagicSchema
package import Magical
import SQLiteEngine

/// What a run hands out.
extension StatementExecution {
  /// The rows, each read as the given types.
  package func rows<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type, limit: Int = .max
  ) throws -> [(repeat each Value)] {
    var wanted = 0
    for _ in repeat (each Value).self { wanted += 1 }
    return try withStatement { statement in
      var rows: [(repeat each Value)] = []
      try forEachRow(
        statement, checking: { try expect(wanted, of: statement) }
      ) { row in
        rows.append((repeat try row.next((each Value).self)))
        return rows.count < limit
      }
      return rows
    }
  }

  /// All columns of the rows, read as one type that takes any value.
  ///
  /// - Parameter row: makes a row of the names of the columns and their values.
  package func rows<Value: MagicalColumn, Row>(
    ofAny type: Value.Type, _ row: ([String], [Value]) -> Row
  ) throws -> [Row] {
    try withStatement { statement in
      var columns: [String] = []
      var rows: [Row] = []
      try forEachRow(
        statement, checking: { columns = (0..<statement.columnCount).map(statement.columnName) }
      ) { reader in
        rows.append(row(columns, try columns.indices.map { try reader.read(type, at: $0) }))
        return true
      }
      return rows
    }
  }

  /// The z-indexes that the rows name.
  package func zIndexes() throws -> [Int64] {
    try withStatement { statement in
      var column = 0
      var zIndexes: [Int64] = []
      try forEachRow(statement, checking: { column = try zIndexColumn(of: statement) }) { row in
        zIndexes.append(try row.read(Int64.self, at: column))
        return true
      }
      return zIndexes
    }
  }

  private func zIndexColumn(of statement: SQLiteStatement) throws -> Int {
    let columns = (0..<statement.columnCount).filter { statement.columnName($0) == "z_index" }
    guard columns.count == 1 else {
      throw MagicError.invalidSQL(
        "Objects are found by a column named z_index; the statement has \(columns.count) of them.")
    }
    return columns[0]
  }

  private func expect(_ wanted: Int, of statement: SQLiteStatement) throws {
    let found = statement.columnCount
    guard found == wanted else {
      throw MagicError.invalidSQL(
        "The rows have \(found) columns, and \(wanted) types were given to read them as.")
    }
  }

  /// The plan that SQLite chooses for the statement.
  package var plan: StatementPlan {
    get throws { try store.plan(of: text ?? statement.text, types: statement.schemas) }
  }
}
