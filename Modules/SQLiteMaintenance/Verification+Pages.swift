import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension Verification {
  /// Runs SQLite's integrity check of the entire file.
  func checkPages() throws {
    // If one message more than the limit is returned, the report is incomplete.
    let wanted = Int64(min(limit, 1_000_000)) + 1
    var messageLimit = wanted
    var check = try integrityCheck(limit: messageLimit)
    // "unable to get the page" or "failed to get page": SQLite says so of a damaged page, and of one for
    // which there was no memory at that moment.
    if check.messages.contains(where: { $0.split(separator: " ").contains("get") }) {
      check = try integrityCheck(limit: messageLimit)
      if check.messages.contains(where: { $0.hasSuffix("error code=\(Self.noMemory)") }) {
        throw SQLiteError(extendedCode: Self.noMemory, message: "out of memory")
      }
    }
    // The reported missing values may be wrong, and may hide other messages because the number of
    // messages is limited.
    while check.isCutOff {
      let rows = try check.columns.reduce(0) { try $0 + count(of: $1.table) }
      guard wanted + rows > messageLimit else { break }
      messageLimit = wanted + rows
      check = try integrityCheck(limit: messageLimit)
    }
    for message in check.messages {
      guard note(MagicFinding(.damage, "\(message).")) else { return }
    }
    for column in check.columns { try attempt(table: column.table) { try checkValues(of: column) } }
  }

  /// The result of `PRAGMA integrity_check`.
  private struct IntegrityCheck {
    var messages: [String] = []
    /// The columns that are reported to have rows without a value.
    var columns: [RequiredColumn] = []
    /// Whether there may be more messages.
    var isCutOff = false
  }

  private struct RequiredColumn {
    let table: String
    let name: String
    /// The expression for the row ID; NULL in a table without one.
    let key: String
  }

  private func integrityCheck(limit messageLimit: Int64) throws -> IntegrityCheck {
    var check = IntegrityCheck()
    var columns: [String: [RequiredColumn]] = [:]
    var count: Int64 = 0
    func run(_ argument: String) throws {
      try forEachRow("PRAGMA integrity_check(\(argument))") { try add($0) }
    }
    func add(_ row: SQLiteStatement) throws -> Bool {
      let text = row.column(0).text
      count += 1
      if text.hasPrefix(Self.missingValue), columns[text] == nil {
        columns[text] = try requiredColumns(named: text.dropFirst(Self.missingValue.count))
        check.columns += columns[text] ?? []
      }
      if columns[text, default: []].isEmpty {
        // Each line is one finding, and some messages of SQLite have several lines.
        check.messages += text.split(separator: "\n").map(String.init).filter { $0 != "ok" }
      }
      return check.messages.count <= limit
    }
    do {
      try run("\(min(messageLimit, Int64(Int32.max)))")
    } catch let error as SQLiteError where error.code == .outOfMemory {
      // SQLite 3.44 also checks full-text indexes, and a damaged one can contain a size for which
      // there is no memory. The other tables are checked alone; the check of the search indexes
      // reports that one.
      (check, columns, count) = (IntegrityCheck(), [:], 0)
      for table in try ordinaryTables() { try run(table.literal) }
    }
    check.isCutOff = count >= messageLimit
    return check
  }

  /// Returns the tables that are not part of a virtual table. SQLite 3.37 or later is needed.
  private func ordinaryTables() throws -> [String] {
    var names: [String] = []
    try forEachRow(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    ) { row in
      names.append(row.column(0).text)
      return true
    }
    return names
  }

  private static let missingValue = "NULL value in "
  private static let noMemory = SQLiteError.Code.outOfMemory.rawValue

  /// Returns the required columns with this name in the form `table.column`. Either part may
  /// contain a period.
  private func requiredColumns(named name: Substring) throws -> [RequiredColumn] {
    let statement = try connection.cachedStatement(
      """
      SELECT t.name, c.name, \
      EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'z_index' AND pk = 1) \
      FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c \
      WHERE t.type = 'table' AND c."notnull" AND t.name || '.' || c.name = ?
      """)
    defer { statement.reset() }
    try statement.bind(String(name), at: 1)
    var columns: [RequiredColumn] = []
    while try statement.step() {
      columns.append(
        RequiredColumn(
          table: statement.column(0).text, name: statement.column(1).text,
          key: statement.column(2).integer != 0 ? "\"z_index\"" : "NULL"))
    }
    return columns
  }

  private func count(of table: String) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM \(table.quoted)") ?? 0
  }

  /// Finds the rows without a value in a required column.
  ///
  /// SQLite 3.45 also reports rows with a real number that is the DEFAULT of a column which was
  /// added to the table.
  private func checkValues(of column: RequiredColumn) throws {
    let type = try Catalogue(connection: connection).entry(for: column.table)?.typeName
    // SQLite evaluates IS NULL as false for a required column, for any value of the row.
    try forEachRow(
      """
      SELECT \(column.key) FROM \(column.table.quoted) \
      WHERE typeof(\(column.name.quoted)) = 'null'
      """
    ) { row in
      note(
        MagicFinding(
          .damage, "The row has no value, but the column requires one.", type: type,
          table: column.table, column: column.name,
          row: row.column(0).isNull ? nil : row.column(0).integer))
    }
  }
}
