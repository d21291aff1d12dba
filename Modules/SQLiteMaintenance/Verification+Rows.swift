import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteFiles
import SQLiteTables

extension Verification {
  /// Checks the file that each row refers to.
  func checkRows(_ names: ReferencedFiles) throws {
    for column in names.columns {
      try attempt(table: column.table) {
        try forEachRow(
          "SELECT \"z_index\", \(column.column.quoted) FROM \(column.table.quoted)"
        ) { row in
          let value = row.column(1)
          guard !value.isNull else { return true }
          let key = row.column(0).integer
          guard value.type == .text else { return noteInvalidName(in: column, key) }
          let text = value.text
          guard !text.isEmpty else { return true }
          guard let name = AssetName(text) else { return noteInvalidName(in: column, key) }
          return try check(name, of: column, key)
        }
      }
    }
  }

  private func noteInvalidName(in column: AssetColumn, _ row: Int64) -> Bool {
    note(
      MagicFinding(
        .noFileName, "The value is not the name of an asset file.", of: column, row: row))
  }

  /// - Returns: whether to continue.
  private func check(_ name: AssetName, of column: AssetColumn, _ row: Int64) throws -> Bool {
    do {
      try store.files.folder.open(name).close()
      return true
    } catch let error as FileError {
      // The file of a row that was changed or deleted meanwhile is deleted too, which is correct.
      guard try isNamed(name, by: column, row) else { return true }
      let kind: MagicFinding.Kind =
        switch error.code {
        case .notFound, .notAFile: .missingFile
        case .wrongSize: .wrongSize
        case .tooManyOpen: throw error
        default: .unreadableFile
        }
      return note(MagicFinding(kind, "\(error)", of: column, row: row, file: name.text))
    }
  }

  /// Whether a row refers to a file in the present state of the database. When the last reference
  /// to a file is removed, no row can refer to the file again. A row that refers to it now has
  /// therefore referred to it since the snapshot.
  private func isNamed(_ name: AssetName, by column: AssetColumn, _ row: Int64) throws -> Bool {
    let statement = try openPresentConnection().cachedStatement(
      """
      SELECT 1 FROM \(column.table.quoted) \
      WHERE "z_index" = ? AND \(column.column.quoted) = ?
      """)
    defer { statement.reset() }
    try statement.bind(row, at: 1)
    try statement.bind(name.text, at: 2)
    return try statement.step()
  }
}
