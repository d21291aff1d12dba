import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The triggers: created for the tables that are observed, and created again where tables change.
extension ChangeRecorder {
  /// Records the changes of the tables, where they are observed, from now on.
  func didAlterTables(_ tables: Set<String>) throws {
    guard isObserving else { return }
    try makeTriggers(filter, without: shapes().subtracting(tables))
    // A savepoint may take it back.
    isUncertain = true
  }

  func willAlterTables(_ tables: Set<String>) throws {
    guard isObserving else { return }
    isUncertain = true
    for table in observed where tables.contains(table.name.folded) {
      try connection.execute(table.drop)
    }
    observed.removeAll { tables.contains($0.name.folded) }
    try noteShapes(tables)
  }

  private func noteShapes(_ tables: Set<String>) throws {
    hasShapes = true
    try connection.execute(TableTriggers.createTouched)
    let note = try connection.cachedStatement(
      "INSERT OR IGNORE INTO temp.\"magic_touched\" VALUES (\(TableTriggers.shapes), ?, 0, NULL)")
    for table in tables {
      try note.bind(table, at: 1)
      try note.run()
    }
  }

  /// The tables whose schema was changed in the running body.
  func shapes() throws -> Set<String> {
    guard hasShapes else { return [] }
    let statement = try connection.cachedStatement(
      "SELECT \"key\" FROM temp.\"magic_touched\" WHERE \"table\" = \(TableTriggers.shapes)")
    defer { statement.reset() }
    var tables: Set<String> = []
    while try statement.step() { tables.insert(statement.column(0).text) }
    return tables
  }

  func willDropTemporaryTables() { if isObserving { isUncertain = true } }

  /// Drops the triggers. The statement changes no row: nothing is missed.
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
    // Also where a table has come: it may have come with rows.
    let changed =
      observed.filter { old in !tables.contains { $0.hasSameSchema(old) } }
      + tables.filter { new in !observed.contains { $0.hasSameSchema(new) } }
    let owners = changed.compactMap(\.names?.table)
    var unknown = Set((changed.map(\.name) + owners).map(\.folded))
    // Of views, tables without a type, and tables that do not exist, the schema is not known.
    let known = (observed + tables).filter { $0.kind != .plain }
    unknown.formUnion(filter.tables.subtracting(known.map(\.name.folded)))
    if !unknown.isEmpty { try noteShapes(unknown) }
    // During a migration, or where rows are not known anyway, no trigger may refuse a statement.
    try makeTriggers(filter, without: shapes())
    isUncertain = true
  }

  func didRollBackPart() {
    guard isUncertain else { return }
    schemaVersion = nil
    if let present = try? numbersOfTriggers() {
      observed = known.filter { present.contains($0.number) }
    }
  }

  /// Creates the triggers of tables that are observed, and drops the others.
  func updateScope() throws {
    let new = feed.recordingFilter()
    if isUncertain || new.filter != filter { try makeTriggers(new.filter) }
    wanted = RecordingScope(
      generation: new.generation,
      filter: new.filter.isEmpty ? nil : RecordingScope.Shared(new.filter))
    isUncertain = false
  }

  /// - Parameter hidden: tables that get no triggers where they have none.
  private func makeTriggers(_ wanted: ObservationFilter, without hidden: Set<String> = []) throws {
    if !isReady {
      try connection.defineMarks()
      isReady = true
    }
    isUncommitted = true
    let present = isUncertain ? try numbersOfTriggers() : Set(observed.map(\.number))
    // As long as not all are made.
    isUncertain = true
    // Memory that a large write has taken is given back when it ends.
    try connection.execute("PRAGMA temp.auto_vacuum = FULL")
    try connection.execute(TableTriggers.createTouched)
    var kept: [TableTriggers] = []
    blind = []
    for found in try tables(for: wanted) {
      let table = known.first { $0.hasSameSchema(found) } ?? found
      if !present.contains(table.number) {
        if hidden.contains(table.name.folded) { continue }
        guard try make(table) else { continue }
        if table === found { known.append(table) }
      }
      kept.append(table)
    }
    for number in present where !kept.contains(where: { $0.number == number }) {
      try connection.execute(TableTriggers.drop(number))
    }
    observed = kept.sorted { $0.number < $1.number }
    schemaVersion = try connection.schemaVersion()
  }

  /// Makes the triggers of a table.
  ///
  /// - Returns: false for a table that SQLite takes none for, such as a module's own one.
  private func make(_ table: TableTriggers) throws -> Bool {
    do {
      try connection.execute(table.create)
      return true
    } catch {
      guard error.code == .error else { throw error }
      try connection.execute(table.drop)
      blind.insert(table.name.folded)
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
    return try ObservedTables(connection).all(for: filter) {
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
