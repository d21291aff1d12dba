import Dispatch
import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// A standby server that answers reads, if it has everything that this database has written.
final class Replica: Sendable {
  let readers: ResourcePool<PooledConnection>
  let generation = ConnectionGeneration()
  private let maxLag: Double
  /// The position of the last commit in the server's log; "" if it is not known.
  private let position = Mutex("0/0")
  /// The time of the last call of ``mayWriteMessage()`` that returned true.
  private let lastMessage = Mutex(UInt64(0))

  init(_ information: String, _ settings: PostgreSQLSettings, _ context: EngineContext) {
    maxLag = settings.maxLag
    var settings = settings
    settings.information = information
    settings.isReadOnly = true
    let (generation, replicaSettings) = (self.generation, settings)
    readers = ResourcePool(limit: settings.readers) {
      PooledConnection(generation) { try PostgreSQLDatabase.connect(replicaSettings, context) }
    }
  }

  /// The statement that returns the position after a commit, in the same round trip.
  static let selectPosition = "SELECT pg_current_wal_insert_lsn()"

  /// Whether the position of the last commit is known.
  var hasPosition: Bool { position.withLock { !$0.isEmpty } }

  /// Records a commit.
  ///
  /// - Parameter result: the position after it; nil if it could not be read.
  func note(_ result: PostgreSQLResult?) {
    let text = result.flatMap { $0.count == 1 ? $0.text(0, 0) : nil } ?? ""
    position.withLock { position in
      // The publisher may have recorded a later one.
      if let last = Self.number(position), let next = Self.number(text), next < last { return }
      position = text
    }
  }

  /// Records a commit of another process, unless a later position is recorded, or none is known.
  func advance(to result: PostgreSQLResult) {
    guard result.count == 1 else { return }
    let text = result.text(0, 0)
    position.withLock { position in
      if let last = Self.number(position), let next = Self.number(text), next > last {
        position = text
      }
    }
  }

  /// The number of a position in the log, two hexadecimal halves.
  private static func number(_ position: String) -> UInt64? {
    let halves = position.split(separator: "/").map { UInt64($0, radix: 16) }
    guard halves.count == 2, let high = halves[0], let low = halves[1] else { return nil }
    return high << 32 | low
  }

  /// What a standby has.
  struct State {
    /// Whether it has all commits of this database, and those of others up to the greatest age. The age is
    /// that of the last transaction that the standby has.
    let isCurrent: Bool
    /// Whether half of this age is exceeded.
    let isAging: Bool
  }

  func state(_ connection: PostgreSQLConnection) throws -> State {
    let position = position.withLock { $0 }
    guard !position.isEmpty else { return State(isCurrent: false, isAging: false) }
    let result = try connection.execute(
      """
      SELECT NOT pg_is_in_recovery() OR (pg_last_wal_replay_lsn() >= '\(position)' AND \
      age <= \(maxLag)), pg_is_in_recovery() AND age > \(maxLag / 2) \
      FROM extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) AS age
      """)
    return State(isCurrent: result.text(0, 0) == "t", isAging: result.text(0, 1) == "t")
  }

  /// The statement that writes an empty transaction to the log of the server, so that the age of the
  /// standby's last transaction is small while nothing else is written.
  static let writeMessage = "SELECT pg_logical_emit_message(true, 'magic', '')"

  /// Returns whether a message may be written: four times in the greatest age.
  func mayWriteMessage() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    return lastMessage.withLock { last in
      guard Double(now - last) > maxLag / 4 * 1e9 else { return false }
      last = now
      return true
    }
  }
}

extension PostgreSQLDatabase {
  /// Writes an empty transaction, without waiting for it.
  private func writeMessage() {
    Task {
      try? await self.withConnection(of: self.readers) { place in
        _ = try self.session(of: place).connection.execute(Replica.writeMessage)
      }
    }
  }

  /// Runs a read on a standby server.
  ///
  /// - Returns: nil if the standby is too old or cannot answer.
  func readingOn<Result: Sendable>(
    _ replica: Replica, _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> (result: Result, isOnReplica: Bool)? {
    do {
      return try await using(replica.readers) { place in
        let session = try self.session(of: place)
        let state = try translatingErrors(nil) { try replica.state(session.connection) }
        if state.isAging, !self.isReadOnly, replica.mayWriteMessage() { self.writeMessage() }
        guard state.isCurrent else { return nil }
        return (try self.read(on: place, body), true)
      }
    } catch is MigrationRequired {
      return nil
    } catch is OutdatedSearchIndexes {
      // The server that writes updates the index.
      return nil
    } catch let error as MagicError {
      guard let cause = error.cause as? PostgreSQLError else { throw error }
      if cause.kind == .connectionLost { replica.generation.end() }
      switch (cause.kind, cause.sqlState) {
      case (.connectionLost, _), (.cannotConnect, _), (_, "40001"), (_, "25006"), (_, "57014"):
        return nil
      default: throw error
      }
    }
  }
}
