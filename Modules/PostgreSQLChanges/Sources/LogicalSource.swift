import Foundation
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine

/// Finds commits by logical decoding: a temporary replication slot sends the committed transactions in
/// the order of their commits. The server drops the slot when its connection ends.
final class LogicalSource: CommitSource {
  private let context: PublisherContext
  private let wakeup: Wakeup
  private let pending: PendingCommits
  private let side: SideConnection
  private let collector: CommitCollector
  private var stream: PostgreSQLConnection?
  /// The position up to which the log was processed, and the one that the server knows.
  private var position: UInt64 = 0
  private var sentPosition: UInt64 = 0
  private var lastStatus = Date()
  private var notes = TransactionNotes()
  private var transaction: UInt32 = 0
  private var mustEnd: @Sendable () -> Bool = { false }

  var record: CommitRecord? { .log }

  init(_ context: PublisherContext, _ wakeup: Wakeup, _ pending: PendingCommits) {
    (self.context, self.wakeup, self.pending) = (context, wakeup, pending)
    let side = SideConnection(context)
    self.side = side
    collector = CommitCollector(context) { try side.open() }
  }

  // MARK: Opening

  func open(mustEnd: @escaping @Sendable () -> Bool) throws {
    self.mustEnd = mustEnd
    let connection = try side.open()
    try Self.requireLogicalDecoding(on: connection)
    let publication = try Publication.prepare(
      on: connection, isReadOnly: context.settings.isReadOnly)
    try collector.readCatalogue()
    let stream = try PostgreSQLConnection(
      context.settings.information, replicates: true, trace: context.settings.trace)
    self.stream = stream
    let slot = "magic_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    let created = try stream.execute(
      "CREATE_REPLICATION_SLOT \(slot) TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')",
      until: wakeup, mustEnd: mustEnd)
    guard created != nil else { return }
    try stream.execute(
      "START_REPLICATION SLOT \(slot) LOGICAL 0/0 (proto_version '1', "
        + "publication_names \(publication.quoted.literal), binary 'true', messages 'true')")
  }

  /// Checks what logical decoding needs.
  ///
  /// - Throws: `PostgreSQLError` with `.refused` and a sentence that says what to change.
  static func requireLogicalDecoding(on connection: PostgreSQLConnection) throws {
    let result = try connection.run(selectSettings)
    func refuse(_ message: String) -> PostgreSQLError {
      PostgreSQLError(.refused, message, sqlState: "55000")
    }
    guard result.text(0, 0) == "logical" else {
      throw refuse(
        "Logical decoding needs the server setting wal_level = logical, and a restart of the server."
      )
    }
    guard result.integer(0, 1) != 0 else {
      throw refuse(
        "Logical decoding needs a user with the attribute REPLICATION. "
          + "Run: ALTER ROLE … REPLICATION")
    }
    guard result.integer(0, 2) > 0, result.integer(0, 3) > 0 else {
      throw refuse(
        "Logical decoding needs the server settings max_replication_slots and max_wal_senders, one "
          + "for each process with observers.")
    }
    guard result.integer(0, 4) == 0 else {
      throw refuse("Logical decoding needs the primary server. This one is a standby server.")
    }
  }

  private static let selectSettings = PostgreSQLStatement(
    """
    SELECT current_setting('wal_level'), \
    (SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user), \
    current_setting('max_replication_slots')::bigint, current_setting('max_wal_senders')::bigint, \
    pg_is_in_recovery()
    """)

  // MARK: Streaming

  func step() throws {
    guard let stream else { return }
    try stream.consumeInput()
    while try stream.receive({ try take($0, stream) }) {}
    let now = Date()
    let age = now.timeIntervalSince(lastStatus)
    // The server ends a stream without messages from the client after wal_sender_timeout, and keeps the
    // log after the position that the client reports.
    if age > 10 || age > 1 && position != sentPosition { try sendStatus(stream) }
    try stream.wait(wakeup, milliseconds: 500)
  }

  private func sendStatus(_ stream: PostgreSQLConnection) throws {
    try stream.send(message: StreamMessage.status(position))
    (sentPosition, lastStatus) = (position, Date())
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ stream: PostgreSQLConnection) throws {
    switch try StreamMessage(bytes) {
    case .keepalive(let server, let mustReply):
      // Everything before the server's position was received.
      if !collector.isInTransaction { position = max(position, server) }
      if mustReply { try sendStatus(stream) }
    case .data(let data): try take(OutputMessage(data))
    }
  }

  private func take(_ message: OutputMessage) throws {
    switch message {
    case .begin(let number):
      (notes, transaction) = (TransactionNotes(), number)
      collector.begin()
    case .relation(let relation):
      // The catalogue contains the table when the transaction is visible.
      if !collector.knows(relation) { try waitUntilVisible() }
      try collector.set(relation)
    case .change(let relation, let old, let new): try collector.add(old, new, of: relation)
    case .truncate(let relations): for relation in relations { try collector.truncate(relation) }
    case .message(CommitNote.prefix, let content):
      if collector.isInTransaction, notes.add(CommitNote(content)) { try publish() }
    case .message, .other: break
    case .commit(let end):
      if collector.hasChanges || notes.isPending { try publish() }
      collector.end()
      position = max(position, end)
    }
  }

  /// Publishes the changes up to here as one element.
  private func publish() throws {
    try pending.publish(notes.take(), with: collector) { try waitUntilVisible() }
  }

  /// Waits until a new snapshot sees the transaction. The server writes a commit to the log before
  /// that, and with a synchronous standby long before; an observer that reads would miss it.
  private func waitUntilVisible() throws {
    var delay = 0.0002
    while !mustEnd() {
      let snapshot = try side.open().run(Self.selectSnapshot).text(0, 0)
      guard let snapshot = ServerSnapshot(snapshot) else {
        throw MalformedMessage("A snapshot of the server has an unknown form.")
      }
      if snapshot.sees(transaction) { return }
      Thread.sleep(forTimeInterval: delay)
      delay = min(delay * 2, 0.02)
    }
    throw PostgreSQLError(.misuse, "The database was closed.")
  }

  private static let selectSnapshot = PostgreSQLStatement("SELECT pg_current_snapshot()::text")

  func close() {
    stream?.close()
    side.close()
  }
}

extension PendingCommits {
  /// Publishes the transaction of a collector. If this database has committed it, the objects of the
  /// transaction first get their new state, and the write returns afterwards.
  ///
  /// - Parameter waitUntilVisible: waits until new snapshots see the transaction. Not called if this
  ///   database has received the answer of the commit.
  func publish(
    _ note: CommitNote, with collector: CommitCollector,
    waitUntilVisible: () throws -> Void = {}
  ) throws {
    let commit = note.isOfThisProcess ? take(note.number) : nil
    defer { commit?.end() }
    commit?.waitForConfirmation()
    if commit?.hasFailed ?? true { try waitUntilVisible() }
    try collector.publish(altered: note.altered, isExternal: !note.isOfThisProcess)
    // Another write may follow in the same transaction.
    collector.begin()
  }
}
