import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// What a body did.
extension ChangeRecorder {
  /// What the body that has run has changed, of what is wanted; nil where that is nothing.
  func collect() throws -> CommittedChanges? {
    guard isObserving, connection.isTouched || hasShapes || filter.isAny || !blind.isEmpty
    else { return nil }
    var changes = CommittedChanges()
    for table in try shapes() {
      // Of a table without a type, or a view, only that it changed is published.
      if try isOfType(table) { changes.unknown.insert(table) } else { changes.others.insert(table) }
    }
    if mayHaveWritten {
      for table in blind {
        if filter.tables.contains(table) { changes.others.insert(table) }
        if try isOfType(table) { changes.unknown.insert(table) }
      }
    }
    let touched = Set(connection.takeTouched())
    // A table that has another shape by now has other triggers.
    if isUncertain { didRollBackPart() }
    var links: [(names: TableNames, rows: [RowChange])] = []
    for table in observed where touched.contains(table.number) {
      switch (table.kind, table.names) {
      case (.rows(let columns, let first), let names?):
        let rows = try rows(of: table, columns, first)
        let key = names.table.folded
        changes.tables[
          key,
          default: TableChanges(
            names: names, rows: [], hasRecordedPrimaries: primary(of: names) != nil)
        ].update(rows)
      case (_, let names):
        let rows = try self.links(of: table)
        if !rows.isEmpty { changes.others.insert(table.name.folded) }
        if let names { links.append((names, rows)) }
      }
    }
    // Links are a part of the rows they lead from.
    for (names, rows) in links {
      changes.tables[
        names.table.folded,
        default: TableChanges(
          names: names, rows: [], hasRecordedPrimaries: primary(of: names) != nil)
      ].update(rows)
    }
    try findPrimaries(&changes)
    if !touched.isEmpty || hasShapes {
      try connection.cachedStatement("DELETE FROM temp.\"magic_touched\"").run()
    }
    hasShapes = false
    changes.tables = changes.tables.filter { !$0.value.isEmpty }
    let isAnything = filter.isAny && mayHaveWritten
    return changes.isEmpty && !isAnything ? nil : changes
  }

  private func isOfType(_ table: String) throws -> Bool {
    if filter.types.contains(table) || owners.owner(of: table) != nil { return true }
    return try ObservedTables(connection).isOfType(table)
  }

  /// The name of a type's primary, empty where it has none; nil where the type is not known.
  private func primary(of names: TableNames) -> String? {
    owners.owner(of: names.table).map(\.primaryName) ?? filter.primaries[names.table.folded]
  }

  private func rows(
    of table: TableTriggers, _ columns: [String], _ first: Int
  ) throws -> [RowChange] {
    let primary = table.names.flatMap(primary)
    let place = columns.firstIndex { $0.isName(primary ?? "") }
    let statement = try table.touched(connection, primary: place.map { columns[$0] })
    defer { statement.reset() }
    var rows: [RowChange] = []
    while try statement.step() {
      let marks = statement.column(1)
      let isThere = !statement.column(2).isNull
      let kind: RowChange.Kind
      var changed = ColumnSet()
      switch (marks.isNull, isThere) {
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
      if let place {
        if !marks.isNull { row.oldPrimary = ValueDigest(marks.blobBytes, at: place) }
        if isThere { row.newPrimary = ValueDigest(statement.column(4)) }
      }
      rows.append(row)
    }
    return rows
  }

  /// The primaries of rows that were updated, but not where the primary is: of links, or of other
  /// columns of many.
  private func findPrimaries(_ changes: inout CommittedChanges) throws {
    for (key, table) in changes.tables where table.isMissingPrimaries {
      guard let name = primary(of: table.names),
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

  /// The owners whose links have changed, or of another table one row that stands for all.
  private func links(of table: TableTriggers) throws -> [RowChange] {
    var columns = ColumnSet()
    if case .links(_, let property, _, _) = table.kind, let names = table.names,
      let place = names.collections.firstIndex(of: property)
    {
      columns.insert(names.columns.count + place)
    }
    let statement = try table.touched(connection)
    defer { statement.reset() }
    var rows: [RowChange] = []
    while try statement.step() {
      let wasThere = !statement.column(1).isNull
      let isThere = !statement.column(2).isNull
      guard wasThere != isThere || statement.column(3).integer != 0 else { continue }
      let owner = statement.column(0).integer
      if rows.last?.zIndex != owner {
        rows.append(RowChange(.updated, owner, columns: columns))
      }
    }
    return rows
  }
}
