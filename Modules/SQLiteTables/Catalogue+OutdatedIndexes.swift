import MagicBase
package import MagicSQLite

/// Indexes that have the order of another system, and could not be built again.
extension Catalogue {
  /// Refuses a statement that searches in such an index or takes the order of its rows from it: it
  /// would miss rows, or return them in the wrong order.
  ///
  /// After a change of the schema SQLite compiles a statement again when it runs, and may choose another
  /// index. The step then checks the statement again, and throws the same error.
  ///
  /// - Parameter statement: a statement of the connection that is no EXPLAIN.
  /// - Throws: ``SQLiteError`` for which ``SQLiteError/readsOutdatedIndex`` is true, or the error of
  ///   SQLite if it cannot explain the statement.
  /// - Complexity: free, unless an index could not be built again when the database was opened.
  package func checkReadsNoOutdatedIndex(_ statement: SQLiteStatement) throws(SQLiteError) {
    guard connection.mayHaveOutdatedIndexes else { return }
    try checkPlan(of: statement)
    statement.checkAfterRecompilation { [weak connection] statement throws(SQLiteError) in
      guard let connection else { return }
      try Catalogue(connection: connection).checkPlan(of: statement)
    }
  }

  private func checkPlan(of statement: SQLiteStatement) throws(SQLiteError) {
    // Reads the schema, so that the plan is that of the present schema.
    let outdated = try outdatedIndexes()
    guard !outdated.isEmpty else { return }
    let sql = statement.sql
    let plan = try connection.prepare("EXPLAIN \(sql)")
    defer { plan.reset() }
    // The cursors of the outdated indexes. Each trigger has numbers of its own.
    var cursors: [Int64: String] = [:]
    while try plan.step() {
      if plan.column(0).integer == 0 { cursors = [:] }
      let (instruction, cursor) = (plan.column(1).text, plan.column(2).integer)
      if Self.openings.contains(instruction) {
        // The third operand is the number of the database; 0 is the main database.
        cursors[cursor] = plan.column(4).integer == 0 ? outdated[plan.column(3).integer] : nil
      } else if let index = cursors[cursor], Self.reads.contains(instruction) {
        throw .outdatedIndex(index, sql: sql)
      }
    }
  }

  private static let openings: Set<String> = ["OpenRead", "OpenWrite", "ReopenIdx"]

  /// The instructions that search in an index or begin to read it in its order. Counting all rows and
  /// writing a row are none of them.
  private static let reads: Set<String> = [
    "SeekGE", "SeekGT", "SeekLE", "SeekLT", "Found", "NotFound", "Rewind", "Last",
  ]

  /// Returns the names of the outdated indexes by the numbers of their root pages.
  private func outdatedIndexes() throws(SQLiteError) -> [Int64: String] {
    var indexes: [Int64: String] = [:]
    for name in try changedCollations() {
      // The primary key of a table without row IDs is the table itself.
      let statement = try connection.prepare(
        """
        SELECT ifnull((SELECT "rootpage" FROM sqlite_master WHERE "type" = 'index'
            AND "name" = i."name"), m."rootpage"), i."name"
          FROM sqlite_master AS m, pragma_index_list(m."name") AS i,
            pragma_index_xinfo(i."name") AS x
          WHERE m."type" = 'table' AND x."key" AND x."coll" = \(name.literal) COLLATE NOCASE
        """)
      defer { statement.reset() }
      while try statement.step() {
        indexes[statement.column(0).integer] = statement.column(1).text
      }
    }
    return indexes
  }
}

extension SQLiteError {
  private static let outdatedIndex = "outdated index: "

  fileprivate static func outdatedIndex(_ name: String, sql: String) -> SQLiteError {
    SQLiteError(extendedCode: Code.error.rawValue, message: outdatedIndex + name, sql: sql)
  }

  /// Whether a statement was refused because it reads an index with the order of another system.
  package var readsOutdatedIndex: Bool {
    code == .error && message.hasPrefix(Self.outdatedIndex)
  }
}
