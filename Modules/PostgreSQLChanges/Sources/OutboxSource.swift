import Foundation
import MagicEngine
import MagicPostgreSQL
import PostgreSQLEngine
import PostgreSQLTables

/// Finds commits in the outbox, where logical decoding is not possible.
///
/// The rows that became visible since the last look are those of the transactions that were committed
/// since then. A notification of the triggers wakes the thread; without one it looks in intervals.
final class OutboxSource: CommitSource {
  private let context: PublisherContext
  private let wakeup: Wakeup
  private let pending: PendingCommits
  private let side: SideConnection
  private let collector: CommitCollector
  private let identifier = UUID().uuidString
  /// The snapshot of the last look.
  private var snapshot = ""
  private var lastUpdate = Date()
  private var isRegistered = false

  /// The number of rows and of bytes that are read at once. If there are more, observers learn that
  /// anything may have changed.
  private static let largestCount: Int64 = 200_000
  private static let largestSize: Int64 = 64 << 20

  var record: CommitRecord? { .outbox }

  init(_ context: PublisherContext, _ wakeup: Wakeup, _ pending: PendingCommits) {
    (self.context, self.wakeup, self.pending) = (context, wakeup, pending)
    let side = SideConnection(context)
    self.side = side
    collector = CommitCollector(context) { try side.open() }
  }

  // MARK: Opening

  func open(mustEnd: @escaping @Sendable () -> Bool) throws {
    let connection = try side.open()
    if try !Publication.State(on: connection).hasOutbox {
      try connection.withWritingLocked { try Outbox.create(on: connection) }
    }
    while try Outbox.isMissingTriggers(on: connection) {
      try connection.withWritingLocked { try Outbox.createTriggers(on: connection, atMost: 1) }
    }
    try Outbox.listen(on: connection)
    // A serializable transaction takes its snapshot when it begins, and would not see a registration
    // that is committed later. With the lock, no transaction of the library is running.
    _ = try connection.withWritingLocked { try run(Outbox.register, [identifier]) }
    isRegistered = true
    // Other transactions that run now may not have seen the registration.
    let found = try connection.run(Outbox.selectSnapshot)
    let end = Int64(found.text(0, 2)) ?? 0
    while !mustEnd() {
      let current = try connection.run(Outbox.selectSnapshot)
      snapshot = current.text(0, 0)
      if Int64(current.text(0, 1)) ?? .max >= end { break }
      try connection.wait(wakeup, milliseconds: 10)
    }
    try collector.readCatalogue()
  }

  // MARK: Reading

  func step() throws {
    let connection = try side.open()
    try look(connection)
    if Date().timeIntervalSince(lastUpdate) > 10 { try update() }
    let interval = Int(context.settings.observation.interval * 1000)
    if try !connection.takeNotifications() {
      try connection.wait(wakeup, milliseconds: interval)
      _ = try connection.takeNotifications()
    }
  }

  /// Publishes the transactions that were committed since the last look.
  private func look(_ connection: PostgreSQLConnection) throws {
    let size = try run(Outbox.selectSize, [snapshot], Self.largestCount + 1)
    let isTooLarge =
      size.integer(0, 0) > Self.largestCount || size.integer(0, 1) > Self.largestSize
    guard size.integer(0, 0) > 0 else {
      snapshot = size.text(0, 2)
      return
    }
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    defer { connection.rollBack() }
    let current = try connection.run(Outbox.selectSnapshot).text(0, 0)
    if isTooLarge {
      try context.advanceReplica(on: connection)
      context.feed.publishExternal()
    } else {
      try publish(try run(Outbox.selectNew, [snapshot]))
    }
    snapshot = current
  }

  private func publish(_ rows: PostgreSQLResult) throws {
    defer { withExtendedLifetime(rows) {} }
    var row = 0
    while row < rows.count {
      let transaction = rows.integer(row, 0)
      var notes = TransactionNotes()
      collector.begin()
      while row < rows.count, rows.integer(row, 0) == transaction {
        let bytes = rows.value(row, 3).bytes
        let table = UInt32(truncatingIfNeeded: rows.integer(row, 1))
        let operation = rows.text(row, 2)
        if operation == "M", let bytes {
          if notes.add(CommitNote(bytes)) { try pending.publish(notes.take(), with: collector) }
        } else {
          try add(operation, bytes, of: table)
        }
        row += 1
      }
      if collector.hasChanges || notes.isPending {
        try pending.publish(notes.take(), with: collector)
      }
      collector.end()
    }
  }

  private func add(_ operation: String, _ bytes: UnsafeRawBufferPointer?, of table: UInt32) throws {
    let row = try bytes.map { try StreamedRow.record($0) }
    var relation = try collector.table(table)
    if let types = row?.types, relation?.columns.map(\.type) != types {
      // The table was altered since the catalogue was read.
      try collector.readCatalogue()
      relation = try collector.table(table)
    }
    // A table that was dropped later has no description.
    guard let relation else { return collector.setIncomplete() }
    try collector.set(relation)
    // The row has the columns of the table when it was written.
    guard let row, row.types == relation.columns.map(\.type) else {
      return try collector.truncate(table)
    }
    if operation == "I" {
      try collector.add(nil, row.row, of: table)
    } else {
      try collector.add(row.row, nil, of: table)
    }
  }

  /// Says that this observer still exists, and removes rows that no observer needs.
  private func update() throws {
    guard try run(Outbox.update, [identifier, snapshot]).affectedCount > 0 else {
      // Another process has removed it, because it was not updated for a minute.
      throw PostgreSQLError(.connectionLost, "The observer of the outbox was removed.")
    }
    let connection = try side.open()
    try connection.run(Outbox.removeOld)
    try connection.run(Outbox.trim)
    lastUpdate = Date()
  }

  @discardableResult
  private func run(
    _ statement: PostgreSQLStatement, _ texts: [String], _ number: Int64? = nil
  ) throws -> PostgreSQLResult {
    let fields = PostgreSQLFields()
    for text in texts { fields.append(text: text) }
    if let number { fields.append(integer: number) }
    return try side.open().run(statement, fields)
  }

  func close() {
    if isRegistered {
      _ = try? run(Outbox.unregister, [identifier])
      _ = try? side.open().run(Outbox.trim)
    }
    side.close()
  }
}
