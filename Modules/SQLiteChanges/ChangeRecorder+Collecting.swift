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
      connection.hasTouchedTables || hasSchemaChanges || filter.isAny
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
    let touched = Set(connection.takeTouchedTables())
    // If the schema of a table has changed meanwhile, the table has other triggers.
    if isUncertain { didRollBackSavepoint() }
    var links: [(names: TableNames, rows: [RowChange])] = []
    for table in observed where touched.contains(table.number) {
      switch (table.kind, table.names) {
      case (.rows(let columns, let first), let names?):
        let (rows, keys) = try rows(of: table, columns, first)
        let key = names.table.folded
        changes.tables[key, default: makeChanges(of: names)].update(rows)
        if !keys.isEmpty { changes.tables[key]?.add(keys: keys) }
      case (_, let names):
        let rows = try self.links(of: table)
        if !rows.isEmpty { changes.others.insert(table.publishedName.folded) }
        if let names { links.append((names, rows)) }
      }
    }
    // A changed join row is a change of the row that owns the collection.
    for (names, rows) in links {
      changes.tables[names.table.folded, default: makeChanges(of: names)].update(rows)
    }
    try findPrimaries(&changes)
    try findKeys(&changes)
    if !touched.isEmpty || hasSchemaChanges {
      try connection.cachedStatement("DELETE FROM temp.\"magic_touched\"").run()
    }
    hasSchemaChanges = false
    changes.tables = changes.tables.filter { !$0.value.isEmpty }
    let hasOtherWrites = filter.isAny && mayHaveWritten
    return changes.isEmpty && !hasOtherWrites ? nil : changes
  }

  private func isOfType(_ table: String) throws -> Bool {
    if filter.types.contains(table) || owners.owner(of: table) != nil { return true }
    return try ObservedTables(connection, owners).isOfType(table)
  }

  /// Returns the name of a type's primary property; empty if it has none, nil if the type is
  /// unknown.
  private func primary(of names: TableNames) -> String? {
    owners.owner(of: names.table).map(\.primaryName) ?? filter.primaries[names.table.folded]
  }

  /// Returns the names of the columns of a type's key; empty if it has none, or the type is unknown.
  private func key(of names: TableNames) -> [String] {
    owners.owner(of: names.table).map(\.keyNames) ?? filter.keys[names.table.folded] ?? []
  }

  private func makeChanges(of names: TableNames) -> TableChanges {
    TableChanges(
      names: names, rows: [], hasRecordedPrimaries: primary(of: names) != nil,
      keys: key(of: names).isEmpty ? nil : [:])
  }

  /// Returns the changed rows, and the keys of the touched rows.
  private func rows(
    of table: TableTriggers, _ columns: [String], _ first: Int
  ) throws -> (rows: [RowChange], keys: [Int64: KeyDigests]) {
    let primary = table.names.flatMap(primary)
    let isRowID = primary == TableSQL.zIndex
    let index = columns.firstIndex { $0.isName(primary ?? "") }
    let key = RecordedKey(table.names.map(key) ?? [], in: columns, at: index == nil ? 4 : 5)
    let statement = try table.touched(
      connection, values: (index.map { [columns[$0]] } ?? []) + key.names)
    defer { statement.reset() }
    var rows: [RowChange] = []
    var keys: [Int64: KeyDigests] = [:]
    while try statement.step() {
      let oldDigests = statement.column(1)
      let exists = !statement.column(2).isNull
      if !key.names.isEmpty { keys[statement.column(0).integer] = key.digests(in: statement) }
      let kind: RowChange.Kind
      var changed = ColumnSet()
      switch (oldDigests.isNull, exists) {
      case (true, true): kind = .inserted
      case (true, false): continue
      case (false, false): kind = .deleted
      case (false, true):
        let bits = UInt64(bitPattern: statement.column(3).integer)
        guard bits != 0 else { continue }
        kind = .updated
        changed = ColumnSet(bits: bits, from: first)
      }
      var row = RowChange(kind, statement.column(0).integer, columns: changed)
      if isRowID {
        let digest = ValueDigest(integer: row.zIndex)
        if !oldDigests.isNull { row.oldPrimary = digest }
        if exists { row.newPrimary = digest }
      } else if let index {
        if !oldDigests.isNull { row.oldPrimary = ValueDigest(oldDigests.blobBytes, at: index) }
        if exists { row.newPrimary = ValueDigest(statement.column(4)) }
      }
      rows.append(row)
    }
    return (rows, keys)
  }

  /// Reads the primary values of updated rows whose changes do not include them: changes of join
  /// rows, and of tables with more columns than one trigger records.
  private func findPrimaries(_ changes: inout CommittedChanges) throws {
    for (key, table) in changes.tables where table.isMissingPrimaries {
      let primary = primary(of: table.names)
      guard primary != TableSQL.zIndex else {
        changes.tables[key]?.findPrimaries { ValueDigest(integer: $0) }
        continue
      }
      guard let name = primary,
        let column = table.names.columns.first(where: { $0.isName(name) })
      else { continue }
      let statement = try connection.cachedStatement(
        "SELECT \(column.quoted) FROM main.\(table.names.table.quoted) WHERE \"z_index\" = ?")
      try changes.tables[key]?.findPrimaries { zIndex in
        statement.reset()
        try statement.bind(zIndex, at: 1)
        return try statement.step() ? ValueDigest(statement.column(0)) : nil
      }
      statement.reset()
    }
  }

  /// Reads the keys of updated rows that the triggers have not recorded: those of the owners of
  /// changed join rows.
  private func findKeys(_ changes: inout CommittedChanges) throws {
    for (name, table) in changes.tables where table.keys != nil {
      let columns = key(of: table.names).map(\.quoted).joined(separator: ", ")
      let statement = try connection.cachedStatement(
        "SELECT \(columns) FROM main.\(table.names.table.quoted) WHERE \"z_index\" = ?")
      defer { statement.reset() }
      let count = key(of: table.names).count
      try changes.tables[name]?.findKeys { zIndex in
        statement.reset()
        try statement.bind(zIndex, at: 1)
        guard try statement.step() else { return [] }
        return (0..<count).map { ValueDigest(statement.column($0)) }
      }
    }
  }

  /// Returns the owners whose join rows have changed. For a table without a type, returns one row
  /// that represents all of its rows.
  private func links(of table: TableTriggers) throws -> [RowChange] {
    var columns = ColumnSet()
    if case .links(_, let property, _, _, _) = table.kind, let names = table.names,
      let index = names.collections.firstIndex(of: property)
    {
      columns.insert(names.columns.count + index)
    }
    let statement = try table.touched(connection)
    defer { statement.reset() }
    var rows: [RowChange] = []
    while try statement.step() {
      let existed = !statement.column(1).isNull
      let exists = !statement.column(2).isNull
      guard existed != exists || statement.column(3).integer != 0 else { continue }
      let owner = statement.column(0).integer
      if rows.last?.zIndex != owner {
        rows.append(RowChange(.updated, owner, columns: columns))
      }
    }
    return rows
  }
}
