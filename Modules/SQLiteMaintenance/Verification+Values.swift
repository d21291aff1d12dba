import MagicEngine
import MagicSQLite
import MagicSchema
import Magical
import SQLiteFiles
import SQLiteSearch
import SQLiteTables

extension Verification {
  /// Finds the rows whose vectors cannot be read.
  func checkVectors() throws {
    let catalogue = Catalogue(connection: connection)
    for table in try catalogue.typeTables() {
      for property in try catalogue.properties(of: table)
      where property.form == .value(.vector) {
        guard let column = property.column else { continue }
        try attempt(table: table) { try checkVectors(column, of: table, catalogue) }
      }
    }
  }

  private func checkVectors(_ column: String, of table: String, _ catalogue: Catalogue) throws {
    // A wrong description is a finding of its own.
    guard try catalogue.columnTypes(of: table).contains(where: { $0.name.isName(column) })
    else { return }
    let type = try catalogue.entry(for: table)?.typeName
    try forEachRow(
      "SELECT \"z_index\" FROM \(table.quoted) WHERE \(VectorColumn.isInvalid(column.quoted))"
    ) { row in
      note(
        MagicFinding(
          .wrongValue, "The value is not a vector, which has four bytes for each number.",
          type: type, table: table, column: column, row: row.column(0).integer))
    }
  }

  /// Finds the collations whose order is another in this system than in the indexes of the file.
  func checkCollations() throws {
    for name in try Catalogue(connection: connection).changedCollations() {
      note(MagicFinding(collation: name))
    }
  }

  /// Compares the search indexes with the rows. After an error of a damaged index the next one is
  /// checked in another snapshot.
  func checkSearchIndexes() throws {
    let catalogue = Catalogue(connection: connection)
    for finding in try catalogue.missingSearchIndexes() { note(finding) }
    let indexes = SearchIndexes(connection, folder: store.files.folder)
    for table in try indexes.tables() {
      // The index of a later snapshot can be another.
      guard try indexes.tables().contains(table) else {
        markIncomplete()
        continue
      }
      let continues = try indexes.forEachFinding(of: table, catalogue) { finding in
        try cancellation.check()
        if !finding.kind.isFault { markIncomplete() }
        return note(finding)
      }
      guard !continues else { continue }
      connection.rollBack()
      try connection.begin(.deferred)
    }
  }
}

extension MagicFinding {
  init(collation: String) {
    self.init(
      .wrongOrder,
      "The indexes with the collation \(collation) have the order of another version of the system. "
        + "Open the database for writing. If that does not help, the disk is full, or rows of a unique "
        + "index are equal: change one of them, and call repair().")
  }
}
