import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Collecting the changes of a body.
extension ChangeRecorder {
  /// Returns the observed changes of the body that has run; nil if there are none.
  func collect() throws -> CommittedChanges? {
    guard isObserving,
      touched?.isEmpty == false || hasSchemaChanges || filter.isAny
        || !tablesWithoutTriggers.isEmpty
    else { return nil }
    var changes = CommittedChanges()
    for table in try alteredTables() {
      // For a view or a table without a type, only the fact that it changed is published.
      if try isOfType(table) { changes.unknown.insert(table) } else { changes.others.insert(table) }
    }
    if mayHaveWritten {
      for table in tablesWithoutTriggers {
        if filter.tables.contains(table) { changes.others.insert(table) }
        if try isOfType(table) { changes.unknown.insert(table) }
      }
    }
    if let touched, !touched.isEmpty { try collect(touched, into: &changes) }
    try forgetAlteredTables()
    let hasOtherWrites = filter.isAny && mayHaveWritten
    return changes.isEmpty && !hasOtherWrites ? nil : changes
  }

  private func collect(_ touched: TouchedRows, into changes: inout CommittedChanges) throws {
    // If the schema of a table has changed meanwhile, the table has other triggers.
    if isUncertain { didRollBackSavepoint() }
    var links: [(type: RecordedType, rows: [RowChange])] = []
    for table in observed where touched.tables.contains(table.number) {
      switch (table.kind, recordedType(of: table)) {
      case (.rows(let columns, let first), let type?):
        let (rows, keys) = try rows(of: table, touched, type, columns, first)
        if !rows.isEmpty || !keys.isEmpty { changes.add(rows, keys: keys, of: type) }
      case (_, let type):
        let rows = try self.links(of: table, touched)
        if !rows.isEmpty { changes.others.insert(table.publishedName.folded) }
        if let type, !rows.isEmpty { links.append((type, rows)) }
      }
    }
    // A changed join row is a change of the row that owns the collection.
    for (type, rows) in links { changes.add(rows, of: type) }
    changes.tables.removeEmpty()
    for index in changes.tables.list.indices {
      let table = changes.tables.list[index].name
      try findPrimaries(&changes.tables.list[index].changes, of: table)
      try findKeys(&changes.tables.list[index].changes, of: table)
    }
  }

  private func isOfType(_ table: String) throws -> Bool {
    if filter.types.contains(table) || owners.owner(of: table) != nil { return true }
    return try ObservedTables(connection, owners).isOfType(table)
  }

  /// Returns the description of the type of a table; nil if it has none. It is kept as long as the
  /// same observers exist.
  private func recordedType(of table: TableTriggers) -> RecordedType? {
    guard let names = table.names else { return nil }
    if let known = table.recordedType, known.generation == scope.generation { return known }
    let owner = owners.owner(of: names.table)
    let name = names.table.folded
    let type = RecordedType(
      generation: scope.generation, names: names, table: name,
      primary: owner.map(\.primaryName) ?? filter.primaries[name],
      key: owner.map(\.keyNames) ?? filter.keys[name] ?? [], columns: table.recordedColumns)
    // The type may be used for the first time later.
    if owner != nil { table.recordedType = type }
    return type
  }

  /// Returns the changed rows, and the keys of the recorded rows.
  private func rows(
    of table: TableTriggers, _ touched: TouchedRows, _ type: RecordedType, _ columns: [String],
    _ first: Int
  ) throws -> (rows: [RowChange], keys: [Int64: KeyDigests]) {
    let current = try table.current(connection)
    defer { current.reset() }
    var rows: [RowChange] = []
    var keys: [Int64: KeyDigests] = [:]
    for (index, row) in touched.rows(of: table.number).enumerated() {
      if index > 0 { current.reset() }
      try row.key.bind(to: current, count: 1)
      let exists = try current.step()
      if let key = type.recordedKey {
        keys[row.key.number] = key.digests(of: row, in: touched, exists ? current : nil)
      }
      let kind: RowChange.Kind
      var changed = ColumnSet()
      switch (row.existed, exists) {
      case (false, true): kind = .inserted
      case (false, false): continue
      case (true, false): kind = .deleted
      case (true, true):
        kind = .updated
        touched.forEachChange(of: row, in: current, columns.count) { changed.insert(first + $0) }
        guard !changed.isEmpty else { continue }
      }
      var change = RowChange(kind, row.key.number, columns: changed)
      switch type.recordedPrimary {
      case .rowID:
        let digest = ValueDigest(integer: change.zIndex)
        if row.existed { change.oldPrimary = digest }
        if exists { change.newPrimary = digest }
      case .column(let index):
        change.oldPrimary = touched.digest(of: row, at: index)
        if exists { change.newPrimary = ValueDigest(current.column(index)) }
      case nil: break
      }
      rows.append(change)
    }
    return (rows, keys)
  }

  /// Reads the primary values of updated rows whose changes do not include them: changes of join
  /// rows, and of tables with more columns than one trigger records.
  private func findPrimaries(_ changes: inout TableChanges, of table: String) throws {
    guard changes.isMissingPrimaries else { return }
    let names = changes.names
    switch RecordedType.place(of: type(of: table)?.primary, in: names.columns) {
    case .rowID: changes.findPrimaries { ValueDigest(integer: $0) }
    case .column(let index):
      let statement = try statement(for: [names.columns[index]], in: names)
      defer { statement.reset() }
      try changes.findPrimaries { zIndex in
        statement.reset()
        try statement.bind(zIndex, at: 1)
        return try statement.step() ? ValueDigest(statement.column(0)) : nil
      }
    case nil: break
    }
  }

  /// Reads the keys of updated rows that the triggers have not recorded: those of the owners of
  /// changed join rows.
  private func findKeys(_ changes: inout TableChanges, of table: String) throws {
    guard changes.keys != nil, let key = type(of: table)?.key else { return }
    let statement = try statement(for: key, in: changes.names)
    defer { statement.reset() }
    try changes.findKeys { zIndex in
      statement.reset()
      try statement.bind(zIndex, at: 1)
      guard try statement.step() else { return [] }
      return key.indices.map { ValueDigest(statement.column($0)) }
    }
  }

  /// Returns the type of an observed table, by its case-folded name.
  private func type(of table: String) -> RecordedType? {
    observed.lazy.compactMap { self.recordedType(of: $0) }.first { $0.table == table }
  }

  /// Returns the statement that selects columns of a row.
  private func statement(
    for columns: [String], in names: TableNames
  ) throws(SQLiteError) -> SQLiteStatement {
    try connection.cachedStatement(
      "SELECT \(columns.map(\.quoted).joined(separator: ", ")) FROM main.\(names.table.quoted) "
        + "WHERE \"z_index\" = ?")
  }

  /// Returns the owners whose join rows have changed. For a table without a type, returns one row
  /// that represents all of its rows.
  private func links(of table: TableTriggers, _ touched: TouchedRows) throws -> [RowChange] {
    let rows = touched.rows(of: table.number)
    guard case .links(_, let property, _, _, let others) = table.kind else {
      return rows.isEmpty ? [] : [RowChange(.updated, 0)]
    }
    var columns = ColumnSet()
    if let names = table.names, let index = names.collections.firstIndex(of: property) {
      columns.insert(names.columns.count + index)
    }
    let current = try table.current(connection)
    defer { current.reset() }
    var owners: [RowChange] = []
    for row in rows where owners.last?.zIndex != row.key.number {
      current.reset()
      try row.key.bind(to: current, count: 2)
      let exists = try current.step()
      var isChanged = row.existed != exists
      if row.existed, exists {
        touched.forEachChange(of: row, in: current, others.count) { _ in isChanged = true }
      }
      if isChanged { owners.append(RowChange(.updated, row.key.number, columns: columns)) }
    }
    return owners
  }
}
