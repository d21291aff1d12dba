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
  let claims: TableClaims
  /// The tables that have triggers, in the order of their numbers.
  @exclusivity(unchecked) private(set) var observed: [ObservedTable] = []
  /// Those that have or had them in the body under way: a savepoint that is rolled back brings
  /// triggers back, and what they enter goes by the table's number.
  @exclusivity(unchecked) private var known: [ObservedTable] = []
  private var nextNumber = ObservedTable.shapes + 1
  @exclusivity(unchecked) private var wanted = RecordedInterest()
  private var isReady = false
  @exclusivity(unchecked) var hasShapes = false
  /// Whether triggers were made or dropped in the transaction under way.
  @exclusivity(unchecked) private var isUncommitted = false
  /// Whether nobody knows which triggers there are.
  @exclusivity(unchecked) private(set) var isUncertain = false
  private var schemaVersion: Int64?
  @exclusivity(unchecked) private var changesBefore = 0
  @exclusivity(unchecked) private var hasRunForeignSQL = false
  /// Tables that SQLite takes no triggers for: each write may have changed them.
  private(set) var blind: Set<String> = []
  /// The file's version as this connection has left or seen it.
  @exclusivity(unchecked) private var version: UInt32?
  @exclusivity(unchecked) private var hasBegun = false
  private var isOpen = true

  /// What is taken down.
  var interest: ChangeInterest { wanted.interest?.value ?? ChangeInterest() }

  /// Whether anything is.
  var isObserving: Bool { wanted.interest != nil }

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
  ///
  /// - Parameter version: of the file, as the connection sees it.
  func begin(_ version: UInt32?) {
    // What an earlier one made may be rolled back with it.
    if isUncommitted { isUncertain = true }
    isUncommitted = false
    hasBegun = true
    note(version)
  }

  /// A body is about to run, in the transaction that is open and outside of any savepoint.
  func prepare() throws {
    if isUncertain || feed.generation != wanted.generation { try lookForTables() }
    // Of a body that was rolled back nothing is left.
    if known.count != observed.count { known = observed }
    if connection.isTouched { _ = connection.takeTouched() }
    hasShapes = false
    changesBefore = connection.totalChanges
    hasRunForeignSQL = false
  }

  /// Whether the body under way may have written: rows, or by somebody else's SQL tables alone, which
  /// SQLite does not count.
  var mayHaveWritten: Bool { connection.totalChanges != changesBefore || hasRunForeignSQL }

  /// What is taken down of the body under way.
  var recorded: RecordedInterest {
    RecordedInterest(
      generation: wanted.generation, interest: wanted.interest,
      hasWritten: mayHaveWritten)
  }

  /// The transaction was committed, and has left a version of the file.
  func didCommit(_ version: UInt32?) {
    (isUncommitted, hasBegun) = (false, false)
    self.version = version
  }

  /// Tells who observes of a transaction that was committed.
  func publish(_ transaction: WriteTransaction) {
    feed.publish(transaction.changes?.value, known: transaction.recorded)
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
    note(connection.dataVersion)
  }

  private func note(_ version: UInt32?) {
    let known = self.version
    self.version = version
    guard let known, known != version else { return }
    feed.publishExternal()
    // It may have changed tables.
    if isObserving, (try? connection.schemaVersion()) != schemaVersion { isUncertain = true }
  }

  // MARK: Tables

  /// A type's tables have come, or have their shape, in the body under way: if they are wanted, they
  /// are taken down from now on.
  func lookAgain(_ tables: Set<String>) throws {
    guard isObserving else { return }
    try makeTriggers(interest, without: shapes().subtracting(tables))
    // A savepoint may take it back.
    isUncertain = true
  }

  /// Tables are about to be brought to another shape: nobody will know which of their rows changed.
  func release(_ tables: Set<String>) throws {
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
    try connection.execute(ObservedTable.createTouched)
    let note = try connection.cachedStatement(
      "INSERT OR IGNORE INTO temp.\"magic_touched\" VALUES (\(ObservedTable.shapes), ?, 0, NULL)")
    for table in tables {
      try note.bind(table, at: 1)
      try note.run()
    }
  }

  /// The tables that were brought to another shape in the body under way.
  func shapes() throws -> Set<String> {
    guard hasShapes else { return [] }
    let statement = try connection.cachedStatement(
      "SELECT \"key\" FROM temp.\"magic_touched\" WHERE \"table\" = \(ObservedTable.shapes)")
    defer { statement.reset() }
    var tables: Set<String> = []
    while try statement.step() { tables.insert(statement.column(0).text) }
    return tables
  }

  /// The temporary tables of the connection go, outside of a transaction.
  func loseTriggers() { if isObserving { isUncertain = true } }

  /// SQL of somebody else's is about to alter a table, which SQLite refuses where a trigger names a
  /// column that goes. It changes no row.
  func standAside() throws {
    guard isObserving else { return }
    (isUncertain, schemaVersion) = (true, nil)
    for table in observed { try connection.execute(table.drop) }
  }

  /// SQL of somebody else's has run: it may have changed tables.
  func lookAfterForeignSQL() throws {
    hasRunForeignSQL = true
    guard isObserving, try connection.schemaVersion() != schemaVersion else { return }
    isUncertain = true
    let tables = try tables(for: interest)
    // Also where a table has come: it may have come with rows.
    let changed =
      observed.filter { old in !tables.contains { $0.isAlike(old) } }
      + tables.filter { new in !observed.contains { $0.isAlike(new) } }
    let owners = changed.compactMap(\.names?.table)
    var unknown = Set((changed.map(\.name) + owners).map(\.folded))
    // Of views, tables of nobody's type, and tables that are not there, the shape is not known.
    let known = (observed + tables).filter { $0.kind != .plain }
    unknown.formUnion(interest.tables.subtracting(known.map(\.name.folded)))
    if !unknown.isEmpty { try noteShapes(unknown) }
    // A migration is under way, or rows are not known anyway: no trigger stands in its way.
    try makeTriggers(interest, without: shapes())
    isUncertain = true
  }

  /// A part of the body under way was rolled back, with what it had done to tables and triggers.
  func didRollBackPart() {
    guard isUncertain else { return }
    schemaVersion = nil
    if let present = try? numbersOfTriggers() {
      observed = known.filter { present.contains($0.number) }
    }
  }

  /// Makes the triggers of tables that are wanted, and drops the others.
  private func lookForTables() throws {
    let new = feed.wants()
    if isUncertain || new.interest != interest { try makeTriggers(new.interest) }
    wanted = RecordedInterest(
      generation: new.generation,
      interest: new.interest.isEmpty ? nil : RecordedInterest.Shared(new.interest))
    isUncertain = false
  }

  /// - Parameter hidden: tables that get no triggers where they have none.
  private func makeTriggers(_ wanted: ChangeInterest, without hidden: Set<String> = []) throws {
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
    try connection.execute(ObservedTable.createTouched)
    var kept: [ObservedTable] = []
    blind = []
    for found in try tables(for: wanted) {
      let table = known.first { $0.isAlike(found) } ?? found
      if !present.contains(table.number) {
        if hidden.contains(table.name.folded) { continue }
        guard try make(table) else { continue }
        if table === found { known.append(table) }
      }
      kept.append(table)
    }
    for number in present where !kept.contains(where: { $0.number == number }) {
      try connection.execute(ObservedTable.drop(number))
    }
    observed = kept.sorted { $0.number < $1.number }
    schemaVersion = try connection.schemaVersion()
  }

  /// Makes the triggers of a table.
  ///
  /// - Returns: false for a table that SQLite takes none for, such as a module's own one.
  private func make(_ table: ObservedTable) throws -> Bool {
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
      "SELECT substr(name, \(ObservedTable.prefix.utf8.count + 1)) FROM sqlite_temp_master "
        + "WHERE type = 'trigger' AND substr(name, 1, \(ObservedTable.prefix.utf8.count)) "
        + "= \(ObservedTable.prefix.literal)")
    defer { triggers.reset() }
    var numbers: Set<Int> = []
    while try triggers.step() {
      if let number = triggers.column(0).text.split(separator: " ").first.flatMap({ Int($0) }) {
        numbers.insert(number)
      }
    }
    return numbers
  }

  private func tables(for interest: ChangeInterest) throws -> [ObservedTable] {
    guard !interest.isEmpty else { return [] }
    return try ObservedTables(connection).all(for: interest) {
      defer { nextNumber += 1 }
      return nextNumber
    }
  }

  /// Lets go of what is compiled. From now on look-outs look for other processes.
  func close() {
    if isOpen {
      isOpen = false
      feed.noteInLookOuts()
      lookForForeignCommits()
      feed.leave(writer: ObjectIdentifier(self))
    }
    for table in known { table.close() }
    (observed, known) = ([], [])
  }
}

extension SQLiteConnection {
  func schemaVersion() throws(SQLiteError) -> Int64? {
    let statement = try cachedStatement("PRAGMA main.schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.column(0).integer : nil
  }
}
