import MagicSchema
import MagicSQLite

/// Takes down what transactions change, on the connection that writes, as long as somebody observes.
///
/// A write has three moments: it ``begin()``s a transaction, each body in it ``prepare()``s, and what
/// a body did is ``collect()``ed before the next one, or the commit. All that is known of a body lies
/// in a temporary table until then, so that what is rolled back is not told, save by accident: a
/// savepoint takes it along.
final class ChangeRecorder {
  let connection: SQLiteConnection
  private let feed: ChangeFeed
  private let claims: TableClaims
  /// In the order of their numbers.
  private var observed: [ObservedTable] = []
  private var nextNumber = ObservedTable.shapes + 1
  private var interest = ChangeInterest()
  private var generation: UInt64 = 0
  private var isReady = false
  private var hasShapes = false
  /// Whether triggers were made or dropped in the transaction under way.
  private var isUncommitted = false
  /// Whether nobody knows which triggers there are.
  private var isUncertain = false
  private var schemaVersion: Int64?
  private var changesBefore = 0
  /// The file's version as this connection has left or seen it.
  private var version: UInt32?
  private var hasBegun = false
  private var isOpen = true

  init(_ connection: SQLiteConnection, feed: ChangeFeed, claims: TableClaims) {
    self.connection = connection
    self.feed = feed
    self.claims = claims
    feed.enter(writer: ObjectIdentifier(self))
    // What is committed from now on is seen as such, also by a first write that waits for it.
    lookForForeignCommits()
  }

  deinit { feed.leave(writer: ObjectIdentifier(self)) }

  // MARK: Transactions

  /// A transaction has begun.
  func begin() {
    // What an earlier one made may be rolled back with it.
    if isUncommitted { isUncertain = true }
    isUncommitted = false
    hasBegun = true
    noteVersion()
  }

  /// A body is about to run, in the transaction that is open and outside of any savepoint.
  func prepare() throws {
    if isUncertain || feed.generation != generation { try lookForTables() }
    changesBefore = connection.totalChanges
  }

  /// What is taken down of the body under way.
  var recorded: RecordedInterest {
    RecordedInterest(
      interest: interest, generation: generation,
      hasWritten: connection.totalChanges != changesBefore)
  }

  /// The transaction was committed.
  func didCommit() {
    (isUncommitted, hasBegun) = (false, false)
    version = connection.dataVersion
  }

  /// Tells who observes of a transaction that was committed.
  ///
  /// - Parameter changes: nil where nothing of what is taken down has changed.
  func publish(_ changes: CommittedChanges?, known: RecordedInterest) {
    feed.publish(changes, known: known)
  }

  /// The transaction was rolled back, which may look like another process's commit; what is seen
  /// while none could be begun is one.
  func didRollBack() {
    if hasBegun { version = connection.dataVersion }
    hasBegun = false
  }

  // MARK: Other processes

  /// Looks whether another process has committed, outside of a transaction.
  func lookForForeignCommits() {
    guard let look = try? connection.cachedStatement("PRAGMA data_version") else { return }
    defer { look.reset() }
    guard (try? look.step()) == true else { return }
    look.reset()
    noteVersion()
  }

  private func noteVersion() {
    let known = version
    version = connection.dataVersion
    guard let known, known != version else { return }
    feed.publishExternal()
    // It may have changed tables.
    if !observed.isEmpty || !interest.isEmpty { isUncertain = true }
  }

  // MARK: Tables

  /// Tables have come or changed in the body under way: those that are wanted are taken down from
  /// now on.
  func lookAgain() throws {
    guard feed.hasObservers || !observed.isEmpty else { return }
    isUncertain = true
    try lookForTables()
    // A savepoint may take it back.
    isUncertain = true
  }

  /// Tables are about to be brought to another shape: nobody will know which of their rows changed.
  func release(_ tables: Set<String>) throws {
    guard !interest.isEmpty else { return }
    for table in observed where tables.contains(table.name.folded) {
      try connection.execute(table.drop)
    }
    observed.removeAll { tables.contains($0.name.folded) }
    isUncertain = true
    try noteShapes(tables)
  }

  private func noteShapes(_ tables: Set<String>) throws {
    hasShapes = true
    try connection.execute(ObservedTable.createTouched)
    let note = try connection.cachedStatement(
      "INSERT OR IGNORE INTO temp.\"magic_touched\" VALUES (\(ObservedTable.shapes), ?, 0, NULL)")
    for table in tables {
      try note.bind(table, at: 1)
      try note.run()
    }
  }

  /// SQL of somebody else's has run: it may have changed tables.
  func lookAfterForeignSQL() throws {
    guard !interest.isEmpty, try connection.schemaVersion() != schemaVersion else { return }
    let before = observed
    isUncertain = true
    try lookForTables()
    isUncertain = true
    let changed = before.filter { old in !observed.contains { $0.isAlike(old) } }
    if !changed.isEmpty { try noteShapes(Set(changed.map(\.name.folded))) }
  }

  /// Makes the triggers of tables that are wanted, and drops the others.
  private func lookForTables() throws {
    let wanted = feed.wants()
    if !isUncertain, wanted.interest == interest {
      generation = wanted.generation
      return
    }
    if !isReady {
      try connection.defineMarks()
      isReady = true
    }
    isUncommitted = true
    if isUncertain {
      try connection.execute(try dropAll())
      observed = []
    }
    try connection.execute(ObservedTable.createTouched)
    var kept: [ObservedTable] = []
    for table in try tables(for: wanted.interest) {
      if let known = observed.first(where: { $0.isAlike(table) }) {
        kept.append(known)
      } else {
        try connection.execute(table.create)
        kept.append(table)
      }
    }
    for table in observed where !kept.contains(where: { $0 === table }) {
      table.close()
      try connection.execute(table.drop)
    }
    observed = kept
    (interest, generation) = wanted
    schemaVersion = try connection.schemaVersion()
    isUncertain = false
  }

  private func dropAll() throws -> String {
    let triggers = try connection.prepare(
      "SELECT name FROM sqlite_temp_master WHERE type = 'trigger' "
        + "AND substr(name, 1, \(ObservedTable.prefix.utf8.count)) = \(ObservedTable.prefix.literal)"
    )
    var drops: [String] = []
    while try triggers.step() {
      drops.append("DROP TRIGGER temp.\(triggers.column(0).text.quoted)")
    }
    return drops.joined(separator: ";")
  }

  private func tables(for interest: ChangeInterest) throws -> [ObservedTable] {
    guard !interest.isEmpty else { return [] }
    return try ObservedTables(connection).all(for: interest) {
      defer { nextNumber += 1 }
      return nextNumber
    }
  }

  // MARK: What a body did

  /// What the body that has run has changed, of what is wanted; nil where that is nothing.
  func collect() throws -> CommittedChanges? {
    guard connection.isTouched || hasShapes || interest.isAny else { return nil }
    var changes = CommittedChanges()
    if hasShapes { changes.unknown = try takeShapes() }
    let touched = Set(connection.takeTouched())
    var ownRows: [(table: ObservedTable, rows: [RowChange])] = []
    for table in observed where touched.contains(table.number) {
      guard let names = table.names else {
        if try !links(of: table).isEmpty { changes.others.insert(table.name.folded) }
        continue
      }
      guard case .rows(_, let first) = table.kind else {
        let rows = try links(of: table)
        if !rows.isEmpty { changes.others.insert(table.name.folded) }
        ownRows.append((table, rows))
        continue
      }
      let (rows, knowsPrimaries) = try rows(of: table, names)
      let key = names.table.folded
      if first == 0 {
        changes.tables[key] = TableChanges(
          names: names, rows: rows, knowsPrimaries: knowsPrimaries)
      } else {
        changes.tables[key]?.update(rows)
      }
    }
    // Links are a part of the rows they lead from.
    for (table, rows) in ownRows {
      guard let names = table.names else { continue }
      changes.tables[
        names.table.folded, default: TableChanges(names: names, rows: [], knowsPrimaries: true)
      ].update(rows)
    }
    if !touched.isEmpty || hasShapes {
      try connection.cachedStatement("DELETE FROM temp.\"magic_touched\"").run()
    }
    hasShapes = false
    changes.tables = changes.tables.filter { !$0.value.isEmpty }
    let isAnything = interest.isAny && connection.totalChanges != changesBefore
    return changes.isEmpty && !isAnything ? nil : changes
  }

  private func takeShapes() throws -> Set<String> {
    let statement = try connection.cachedStatement(
      "SELECT \"key\" FROM temp.\"magic_touched\" WHERE \"table\" = \(ObservedTable.shapes)")
    defer { statement.reset() }
    var tables: Set<String> = []
    while try statement.step() { tables.insert(statement.column(0).text) }
    return tables
  }

  private func rows(
    of table: ObservedTable, _ names: TableNames
  ) throws -> (rows: [RowChange], knowsPrimaries: Bool) {
    guard case .rows(let columns, let first) = table.kind else { return ([], false) }
    let schema = claims.owner(of: names.table)
    let primary = schema.map { schema in
      schema.primary.flatMap { place in
        columns.firstIndex { $0.isName(schema.columns[place].name) }
      }
    }
    let place = primary ?? nil
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
        if !marks.isNull { row.oldPrimary = ValueMark(marks.blobBytes, at: place) }
        if isThere { row.newPrimary = ValueMark(statement.column(4)) }
      }
      rows.append(row)
    }
    return (rows, schema != nil)
  }

  /// The owners whose links have changed, or of another table one row that stands for all.
  private func links(of table: ObservedTable) throws -> [RowChange] {
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

  /// Lets go of what is compiled. From now on look-outs look for other processes.
  func close() {
    if isOpen {
      isOpen = false
      feed.noteInLookOuts()
      lookForForeignCommits()
      feed.leave(writer: ObjectIdentifier(self))
    }
    for table in observed { table.close() }
    observed = []
  }
}

extension SQLiteConnection {
  fileprivate func schemaVersion() throws(SQLiteError) -> Int64? {
    let statement = try cachedStatement("PRAGMA main.schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.column(0).integer : nil
  }
}
