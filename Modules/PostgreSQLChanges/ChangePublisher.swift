import Foundation
import MagicEngine
package import MagicPostgreSQL
import MagicRuntime
import MagicSchema
package import PostgreSQLEngine

/// Publishes the commits of all processes to the observers of a database, in the order of the commits.
///
/// A thread runs while there are observers. It finds the commits in the server's log, or else in an
/// outbox. After a lost connection it connects again, and reports to the observers that anything may
/// have changed.
package final class ChangePublisher: CommitPublisher {
  private let context: PublisherContext
  private let pending = PendingCommits()
  private let wakeup = Wakeup()
  private let condition = NSCondition()
  private let state = Guarded()

  private enum Phase {
    /// No thread runs.
    case idle
    /// The thread connects for the first time.
    case starting
    case ready
    /// The connection was lost, or cannot be opened.
    case retrying
    case stopped
  }

  /// Guarded by the condition.
  private final class Guarded: @unchecked Sendable {
    var phase = Phase.idle
    /// Whether there may be commits that the observers do not know.
    var hasMissed = false
    var threads = 0
  }

  /// Whether a write has found the outbox.
  private let outboxWasFound = Mutex(false)

  /// The longest time in seconds that the registration of an observer waits.
  private static let longestStart = 3.0
  /// The time in seconds for which the thread continues without observers.
  private static let idleTime = 30.0

  package init(_ context: PublisherContext) { self.context = context }

  /// Checks that commits can be found as an option requires.
  ///
  /// - Throws: `MagicError` with `.invalidOption`.
  package static func check(_ context: PublisherContext) throws {
    guard context.settings.observation == .logical else { return }
    let connection = try context.connect()
    defer { connection.close() }
    do {
      try LogicalSource.requireLogicalDecoding(on: connection)
    } catch let error as PostgreSQLError where error.kind == .refused {
      throw MagicError(.invalidOption, error.message, cause: error)
    }
  }

  // MARK: Observers

  package func start(canWait: Bool) {
    condition.lock()
    defer { condition.unlock() }
    if state.phase == .idle {
      state.phase = .starting
      state.threads += 1
      let thread = Thread { [self] in run() }
      thread.name = "MagicData observation"
      thread.start()
    }
    let end = Date(timeIntervalSinceNow: Self.longestStart)
    while canWait, state.phase == .starting, condition.wait(until: end) {}
    if state.phase != .ready { state.hasMissed = true }
  }

  package func waitForStart() {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: Self.longestStart)
    while state.phase == .starting, condition.wait(until: end) {}
  }

  package func stop(waits: Bool) {
    guard !context.isForked else { return }
    condition.lock()
    let isReady = state.phase == .ready
    condition.unlock()
    if waits, isReady {
      let end = Date(timeIntervalSinceNow: PendingCommits.longestWait)
      while !pending.isEmpty, Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    }
    condition.lock()
    state.phase = .stopped
    condition.broadcast()
    wakeup.signal()
    let end = Date(timeIntervalSinceNow: 2)
    while waits, state.threads > 0, condition.wait(until: end) {}
    condition.unlock()
    pending.close()
  }

  // MARK: Writes

  package func didUpdateTables(on connection: PostgreSQLConnection) throws {
    let found = try Publication.State(on: connection)
    if found.exists, found.isOwned { try Publication.addTables(found.name, on: connection) }
    if found.hasOutbox { try Outbox.createTriggers(on: connection) }
  }

  package func willCommit(
    altered: Set<String>, on connection: PostgreSQLConnection
  ) throws -> (sql: String, commit: (any PublishedCommit)?) {
    let tables = altered.sorted()
    if let (number, commit, record) = pending.add() {
      let note = CommitNote(process: CommitNote.currentProcess, number: number, altered: tables)
      do {
        return (try sql(note, for: [record], on: connection), commit)
      } catch {
        commit.didFail()
        throw error
      }
    }
    let records = try [CommitRecord.log, .outbox].filter { record in
      // The other database may have another schema or server than this one, which then has no outbox.
      try PendingCommits.areFound(in: record)
        && (record == .log || hasOutbox(on: connection))
    }
    if tables.isEmpty, records.isEmpty { return ("", nil) }
    var note = CommitNote(altered: tables)
    // Another database of this process has observers.
    if !records.isEmpty {
      (note.process, note.number) = (CommitNote.currentProcess, PendingCommits.newNumber())
    }
    return (try sql(note, for: records, on: connection), nil)
  }

  /// Whether the tables of this database have an outbox. It is kept once it was found.
  private func hasOutbox(on connection: PostgreSQLConnection) throws -> Bool {
    if outboxWasFound.withLock({ $0 }) { return true }
    let isFound = try Publication.State(on: connection).hasOutbox
    if isFound { outboxWasFound.withLock { $0 = true } }
    return isFound
  }

  /// Returns the SQL that writes a note to records. Observers of other processes, which may use the
  /// other record, must know which tables were altered.
  private func sql(
    _ note: CommitNote, for records: [CommitRecord], on connection: PostgreSQLConnection
  ) throws -> String {
    var statements = records.map { note.sql($0) }
    if !note.altered.isEmpty {
      if !records.contains(.log) { statements.append(note.sql(.log)) }
      if !records.contains(.outbox), try hasOutbox(on: connection) {
        statements.append(note.sql(.outbox))
      }
    }
    return statements.joined(separator: "; ")
  }

  // MARK: The thread

  private var isStopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return state.phase == .stopped
  }

  private func run() {
    var delay = 0.05
    while !isStopped {
      do {
        if try runSession() { break }
        delay = 0.05
      } catch {
        context.settings.note?("The observation of commits was interrupted: \(error)")
      }
      pending.close()
      guard retry(after: &delay) else { break }
    }
    condition.lock()
    state.threads -= 1
    condition.broadcast()
    condition.unlock()
  }

  /// Waits before the next attempt. Returns false at the end.
  private func retry(after delay: inout Double) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard state.phase != .stopped else { return false }
    state.phase = .retrying
    state.hasMissed = true
    condition.broadcast()
    let end = Date(timeIntervalSinceNow: delay)
    while state.phase == .retrying, condition.wait(until: end) {}
    delay = min(delay * 2, 5)
    return state.phase != .stopped
  }

  /// Publishes commits until the database is closed, there are no observers, or an error occurs.
  ///
  /// - Returns: whether the thread ends.
  private func runSession() throws -> Bool {
    guard let source = try openSource() else { return true }
    defer { source.close() }
    becomeReady(source)
    var lastUse = Date()
    while !isStopped {
      try source.step()
      pending.endOldWaits()
      if context.feed.hasObservers {
        lastUse = Date()
      } else if Date().timeIntervalSince(lastUse) > Self.idleTime, becomeIdle() {
        return true
      }
    }
    return true
  }

  /// Opens the best source that the server and the options permit; nil at the end.
  private func openSource() throws -> (any CommitSource)? {
    let mode = context.settings.observation
    let logical: () -> any CommitSource = { [self] in LogicalSource(context, wakeup, pending) }
    let outbox: () -> any CommitSource = { [self] in OutboxSource(context, wakeup, pending) }
    let polling: () -> any CommitSource = { [self] in PollingSource(context, wakeup) }
    let isReadOnly = context.settings.isReadOnly
    let sources: [() -> any CommitSource] =
      switch mode {
      case .automatic: isReadOnly ? [logical, polling] : [logical, outbox, polling]
      case .logical: [logical]
      case .outbox: isReadOnly ? [polling] : [outbox, polling]
      }
    for (place, make) in sources.enumerated() {
      let source = make()
      do {
        try source.open { [self] in isStopped }
        guard isStopped else { return source }
        source.close()
        return nil
      } catch let error as PostgreSQLError
        where error.kind == .refused && place < sources.count - 1 && error.sqlState != "55P03"
      {
        source.close()
        context.settings.note?(error.message)
      } catch {
        source.close()
        throw error
      }
    }
    return nil
  }

  private func becomeReady(_ source: any CommitSource) {
    // Observers are notified before a write can be published.
    if takeMissed(becoming: nil) { context.feed.publishExternal() }
    if let record = source.record { pending.open(record) }
    if takeMissed(becoming: .ready) { context.feed.publishExternal() }
  }

  /// Returns whether there may be commits that the observers do not know.
  private func takeMissed(becoming phase: Phase?) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if let phase, state.phase != .stopped {
      state.phase = phase
      condition.broadcast()
    }
    defer { state.hasMissed = false }
    return state.hasMissed
  }

  /// Ends the thread because there are no observers. Returns false if there are some again.
  private func becomeIdle() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard state.phase == .ready, !context.feed.hasObservers else { return false }
    state.phase = .idle
    pending.close()
    return true
  }
}

extension CommitNote {
  /// The SQL that writes the note.
  func sql(_ record: CommitRecord) -> String {
    switch record {
    case .log:
      "SELECT pg_logical_emit_message(true, \(Self.prefix.literal), \(text.literal))"
    case .outbox: Outbox.insert(self)
    }
  }
}
