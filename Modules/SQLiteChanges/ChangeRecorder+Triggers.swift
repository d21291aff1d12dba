import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// Creating triggers for observed tables, and creating them again after schema changes.
extension ChangeRecorder {
  /// Creates the triggers of altered tables that are observed.
  func didAlterTables(_ tables: Set<String>) throws {
    guard isObserving else { return }
    try createTriggers(filter, without: alteredTables().subtracting(tables))
    // A savepoint may roll the triggers back.
    isUncertain = true
  }

  func willAlterTables(_ tables: Set<String>) throws {
    guard isObserving else { return }
    isUncertain = true
    for table in observed where tables.contains(table.name.folded) {
      try connection.execute(table.drop)
    }
    observed.removeAll { tables.contains($0.name.folded) }
    try recordAlteredTables(tables)
  }

  private func recordAlteredTables(_ tables: Set<String>) throws {
    hasSchemaChanges = true
    try connection.execute(Self.createAltered)
    let insert = try connection.cachedStatement(
      "INSERT OR IGNORE INTO temp.\(Self.altered.quoted) VALUES (?)")
    for table in tables {
      try insert.bind(table, at: 1)
      try insert.run()
    }
  }

  /// The temporary table with the tables whose schema was changed in the running body. It is part of
  /// the transaction, so rolling back a savepoint removes its rows.
  private static let altered = "magic_altered"
  private static let createAltered =
    "CREATE TEMP TABLE IF NOT EXISTS \(altered.quoted) (\"name\" TEXT PRIMARY KEY) WITHOUT ROWID"

  /// The tables whose schema was changed in the running body.
  func alteredTables() throws -> Set<String> {
    guard hasSchemaChanges else { return [] }
    // It may have been rolled back.
    try connection.execute(Self.createAltered)
    let names = try connection.textColumn("SELECT \"name\" FROM temp.\(Self.altered.quoted)")
    return Set(names)
  }

  /// Empties the table for the next body. Called after ``alteredTables()``, in the same savepoint.
  func forgetAlteredTables() throws {
    guard hasSchemaChanges else { return }
    try connection.cachedStatement("DELETE FROM temp.\(Self.altered.quoted)").run()
    hasSchemaChanges = false
  }

  func didChangeIndexes() throws {
    if schemaVersion != nil { schemaVersion = try connection.schemaVersion() }
  }

  func willDropTemporaryTables() { if isObserving { isUncertain = true } }

  /// Drops the triggers. The user's statement changes no rows, so no changes are missed.
  func willAlterTableByUserSQL() throws {
    guard isObserving else { return }
    (isUncertain, schemaVersion) = (true, nil)
    for table in observed { try connection.execute(table.drop) }
  }

  func didRunUserSQL() throws {
    hasRunUserSQL = true
    guard isObserving, try connection.schemaVersion() != schemaVersion else { return }
    isUncertain = true
    let tables = try tables(for: filter)
    // This includes new tables, which may have been created with rows.
    let changed =
      observed.filter { old in !tables.contains { $0.hasSameSchema(old) } }
      + tables.filter { new in !observed.contains { $0.hasSameSchema(new) } }
    let owners = changed.compactMap(\.names?.table)
    var unknown = Set((changed.map(\.name) + owners).map(\.folded))
    // The schema of views, tables without a type, and tables that do not exist is not known.
    let known = (observed + tables).filter { $0.kind != .plain }
    unknown.formUnion(
      filter.tables.subtracting((known.map(\.name) + known.map(\.publishedName)).map(\.folded)))
    if !unknown.isEmpty { try recordAlteredTables(unknown) }
    // A trigger can make a later statement fail. So tables that are being migrated, or whose
    // changes are already unknown, get no triggers.
    try createTriggers(filter, without: alteredTables())
    isUncertain = true
  }

  func didRollBackSavepoint() {
    guard isUncertain else { return }
    schemaVersion = nil
    if let present = try? numbersOfTriggers() {
      observed = known.filter { present.contains($0.number) }
    }
  }

  /// Creates the triggers of observed tables, and drops all others.
  func updateScope() throws {
    let new = feed.recordingFilter()
    if isUncertain || new.filter != filter { try createTriggers(new.filter) }
    scope = RecordingScope(
      generation: new.generation,
      filter: new.filter.isEmpty ? nil : RecordingScope.Shared(new.filter))
    isUncertain = false
  }

  /// - Parameter excluded: tables for which no new triggers are created.
  private func createTriggers(_ filter: ObservationFilter, without excluded: Set<String> = [])
    throws
  {
    if touched == nil { touched = try connection.defineTouchFunction() }
    isUncommitted = true
    let present = isUncertain ? try numbersOfTriggers() : Set(observed.map(\.number))
    // Remains true if creating a trigger fails.
    isUncertain = true
    var installed: [TableTriggers] = []
    tablesWithoutTriggers = []
    // A table that was altered in this body has a new number: what was recorded before has other columns
    // or values, also if the change is rolled back.
    let altered = try alteredTables()
    for found in try tables(for: filter) {
      let isAltered = altered.contains(found.name.folded)
      let table = isAltered ? found : known.first { $0.hasSameSchema(found) } ?? found
      if !present.contains(table.number) {
        if excluded.contains(table.name.folded) { continue }
        guard try createTriggers(of: table) else { continue }
        if table === found { known.append(table) }
      }
      installed.append(table)
    }
    for number in present where !installed.contains(where: { $0.number == number }) {
      try connection.execute(TableTriggers.drop(number))
    }
    observed = installed.sorted { $0.number < $1.number }
    schemaVersion = try connection.schemaVersion()
  }

  /// Creates the triggers of a table.
  ///
  /// - Returns: false for a table on which SQLite cannot create triggers, such as a shadow table of
  ///   a virtual table.
  private func createTriggers(of table: TableTriggers) throws -> Bool {
    do {
      try connection.execute(table.create)
      return true
    } catch {
      guard error.code == .error else { throw error }
      try connection.execute(table.drop)
      tablesWithoutTriggers.insert(table.name.folded)
      return false
    }
  }

  private func numbersOfTriggers() throws -> Set<Int> {
    let triggers = try connection.cachedStatement(
      "SELECT substr(name, \(TableTriggers.prefix.utf8.count + 1)) FROM sqlite_temp_master "
        + "WHERE type = 'trigger' AND substr(name, 1, \(TableTriggers.prefix.utf8.count)) "
        + "= \(TableTriggers.prefix.literal)")
    defer { triggers.reset() }
    var numbers: Set<Int> = []
    while try triggers.step() {
      if let number = triggers.column(0).text.split(separator: " ").first.flatMap({ Int($0) }) {
        numbers.insert(number)
      }
    }
    return numbers
  }

  private func tables(for filter: ObservationFilter) throws -> [TableTriggers] {
    guard !filter.isEmpty else { return [] }
    return try ObservedTables(connection, owners).all(for: filter) {
      defer { nextNumber += 1 }
      return nextNumber
    }
  }
}

extension SQLiteConnection {
  func schemaVersion() throws(SQLiteError) -> Int64? {
    let statement = try cachedStatement("PRAGMA main.schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.column(0).integer : nil
  }
}
