import Foundation
package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLFiles
import PostgreSQLSearch
import PostgreSQLTables

/// Writes, each in a transaction of its own or in one that they share.
extension PostgreSQLDatabase {
  package func writing<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let mode =
      isRepeatable ? .concurrent : Self.transactionMode ?? settings.transactionMode
    var retries = Retries(settings, mode, isRepeatable: mode == .concurrent)
    // The engine looks for in-place changes of the calling task while it runs a body, and the task
    // that leads is another one.
    if isRepeatable, !isReadOnly, OwnChanges.current == nil {
      let (outcome, result) = await sharing(body)
      switch outcome {
      case .completed: if let result { return result }
      case .mustRunAlone: break
      case .failed(let error): try await wait(&retries, after: error)
      }
    }
    while true {
      do {
        return try await writeOnce(retries.mode, body)
      } catch {
        try await wait(&retries, after: error)
      }
    }
  }

  @available(*, noasync)
  package func writeBlocking<Result>(
    _ body: (any EngineTransaction) throws -> Result
  ) throws -> Result {
    try writeBlocking(.exclusive, body)
  }

  @available(*, noasync)
  func writeBlocking<Result>(
    _ mode: WriteMode, _ body: (any EngineTransaction) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    // The body may change the variables of its caller, so it runs once.
    var retries = Retries(settings, mode, isRepeatable: false)
    while true {
      do {
        let (result, published) = try withConnectionBlocking(of: writer) {
          try write(on: $0, mode, body)
        }
        published?.waitBlocking()
        return result
      } catch {
        try waitBlocking(&retries, after: error)
      }
    }
  }

  /// Runs a body that may run again, while no other transaction writes.
  ///
  /// - Parameter mode: one of the exclusive modes.
  func writingAlone<Result: Sendable>(
    _ mode: WriteMode = .exclusive, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    var retries = Retries(settings, mode)
    while true {
      do {
        return try await writeOnce(mode, body)
      } catch {
        let delay = try retries.delay(after: error)
        if delay > 0 { try await Task.sleep(nanoseconds: delay) }
      }
    }
  }

  private func writeOnce<Result: Sendable>(
    _ mode: WriteMode, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result {
    let (result, published) = try await withConnection(of: writer) {
      try self.write(on: $0, mode, body)
    }
    await published?.wait()
    return result
  }

  /// - Returns: the result, and the commit if it is published. The caller waits for that when it has
  ///   returned the connection.
  private func write<Result>(
    on place: PooledConnection, _ mode: WriteMode,
    _ body: (any EngineTransaction) throws -> Result
  ) throws -> (result: Result, published: (any PublishedCommit)?) {
    var result: Result?
    try Task.checkCancellation()
    let published = try run(on: place, mode, count: 1) { _, transaction in
      result = try body(transaction)
    }
    guard let result else { throw CancellationError() }
    return (result, published[0])
  }
}

// MARK: - Shared transactions

extension PostgreSQLDatabase {
  /// Runs a write together with those of other tasks.
  private func sharing<Result: Sendable>(
    _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async -> (SharedWrite.Outcome, Result?) {
    await withoutActuallyEscaping(body) { body in
      let stored = StoredResult<Result>()
      let write = SharedWrite { stored.value = try body($0) }
      defer { write.run = nil }
      let outcome =
        switch await sharedWrites.enter(write) {
        case .leads: await lead(write)
        case .ended(let outcome): outcome
        // The task that leads reports no delays.
        case .delayed: SharedWrite.Outcome.mustRunAlone
        }
      await write.published?.wait()
      return (outcome, stored.value)
    }
  }

  /// Runs a write, and all writes that wait when the connection is free.
  private func lead(_ write: SharedWrite) async -> SharedWrite.Outcome {
    defer { sharedWrites.leave() }
    do {
      return try await withConnection(of: writer) { place in
        let writes = [write] + self.sharedWrites.takeWaiting(cancelledBy: place.cancellation)
        let outcome = self.runTogether(writes, on: place)
        // The bodies must not outlive their calls.
        for write in writes { write.end(outcome) }
        return outcome
      }
    } catch {
      write.end(.failed(error))
      return .failed(error)
    }
  }

  /// Runs writes in one transaction. All of them were called before it begins, so that its snapshot
  /// contains what was committed before their calls.
  private func runTogether(
    _ writes: [SharedWrite], on place: PooledConnection
  ) -> SharedWrite.Outcome {
    var retries = Retries(settings)
    while true {
      do {
        let published = try Self.translatingCancellation {
          try endingGeneration {
            let reconnects = settings.reconnectNanoseconds > 0
            return try run(on: place, retries.mode, count: writes.count, defersBegin: reconnects) {
              try writes[$0].run?($1)
            }
          }
        }
        for (write, commit) in zip(writes, published) { write.published = commit }
        return .completed
      } catch {
        // The task of a single write waits itself. Writes that may be stored must not run again.
        if writes.count == 1 || (error as? MagicError)?.code == .uncertain { return .failed(error) }
        guard let delay = try? retries.delay(after: error) else { return .mustRunAlone }
        if delay > 0 { Thread.sleep(forTimeInterval: Double(delay) / 1e9) }
      }
    }
  }
}

// MARK: - One transaction

extension PostgreSQLDatabase {
  /// Runs bodies in one transaction. Each has a transaction object of its own, which is notified of
  /// the outcome.
  ///
  /// - Parameters:
  ///   - place: the connection.
  ///   - mode: how the transaction is kept apart from others.
  ///   - count: the number of bodies.
  ///   - defersBegin: whether the first statement is sent together with the begin of the transaction. A lost
  ///     connection or a migration is then found while a body runs.
  ///   - run: runs the body with an index.
  /// - Returns: for each body, its commit if it is published to observers as one of this database.
  private func run(
    on place: PooledConnection, _ mode: WriteMode, count: Int, defersBegin: Bool = false,
    _ run: (Int, PostgreSQLTransaction) throws -> Void
  ) throws -> [(any PublishedCommit)?] {
    guard !isReadOnly else { throw MagicError.readOnly() }
    context.publisher?.waitForStart()
    let session = try beginWriting(on: place, mode, defersBegin: defersBegin)
    session.alteredTables = []
    session.unreleasedSavepoint = nil
    session.isWriting = true
    defer { (session.hasNewTables, session.isWriting) = (false, false) }
    var parts: [PostgreSQLTransaction] = []
    let token: CommitToken?
    do {
      try context.checkMayContinue()
      for index in 0..<count {
        let part = PostgreSQLTransaction(session, mode, isShared: count > 1)
        parts.append(part)
        try markingCall { try run(index, part) }
        try part.finish(isLast: index == count - 1)
      }
      try context.checkMayContinue()
      let hasWritten = session.hasNewTables || parts.contains { !$0.writtenTables.isEmpty }
      token = hasWritten ? CommitToken() : nil
      try session.updateSearchIndexes(of: parts.reduce(into: []) { $0.formUnion($1.writtenTables) })
      try session.assets.prepareCommit()
      if let conflict = Self.conflict(session, mode) { throw conflict }
      try commit(session, token, after: parts.last?.publication)
    } catch {
      // The body may have caught the error of a conflict.
      let restart = parts.last?.restart ?? Self.conflict(session, mode)
      // The connection belongs to the parent process after a fork.
      if !lifecycle.isForked { session.connection.rollBack() }
      session.forgetTables()
      session.assets.discard()
      for part in parts.reversed() {
        part.published?.didFail()
        part.participant?.didRollBack()
        part.participant = nil
      }
      throw restart ?? error
    }
    session.assets.didCommit()
    session.search.didCommit()
    for part in parts {
      part.participant?.didCommit()
      part.participant = nil
    }
    for part in parts { publish(part) }
    doDeferredWork(after: token, session)
    return parts.map(\.published)
  }

  /// The conflict after which a concurrent transaction runs again.
  private static func conflict(_ session: EngineSession, _ mode: WriteMode) -> (any Error)? {
    guard mode == .concurrent, let conflict = session.connection.conflict else { return nil }
    return MagicError(conflict)
  }

  /// Commits, and finds out whether a commit took place whose answer was lost.
  private func commit(
    _ session: EngineSession, _ token: CommitToken?, after publication: String?
  ) throws {
    do {
      let last = [session.search.sqlKeepingChangedRows, publication, token?.insert].compactMap(
        \.self
      )
      .joined(separator: "; ")
      let result = try session.connection.commit(
        after: last.isEmpty ? nil : last, then: replica == nil ? nil : Replica.selectPosition)
      replica?.note(result)
    } catch {
      guard error.kind == .uncertain else {
        throw session.error(ofCommit: error)
      }
      // A server that still commits would let the question wait.
      let isLost = session.connection.isLost && !error.isOverdue
      try findOutcome(of: token, after: error, isLost: isLost)
    }
  }

  /// Finds out whether a commit took place.
  ///
  /// - Throws: `MagicError` with `.connectionLost` if it did not, and `.uncertain` if it is not known.
  private func findOutcome(
    of token: CommitToken?, after error: PostgreSQLError, isLost: Bool
  ) throws {
    var uncertain = error
    uncertain.commitToken = token?.text
    replica?.note(nil)
    // A connection that is not lost has answered, or the server still waits for a standby: no standby
    // has confirmed the commit.
    guard let token, isLost, !lifecycle.isForked else { throw MagicError(uncertain) }
    generation.end()
    let isCommitted: Bool
    do {
      isCommitted = try self.isCommitted(token)
    } catch let failure {
      var unknown = PostgreSQLError(
        .uncertain, "\(error.message) Its outcome could not be read: \(failure)",
        sqlState: error.sqlState)
      unknown.sql = error.sql
      unknown.commitToken = token.text
      throw MagicError(unknown)
    }
    guard isCommitted else {
      throw MagicError(PostgreSQLError(.connectionLost, error.message, sqlState: error.sqlState))
    }
  }

  /// Begins a transaction, on a new connection if the old one was lost while it was not used. If the begin is
  /// deferred, the first statement finds the loss, and the call runs again.
  private func beginWriting(
    on place: PooledConnection, _ mode: WriteMode, defersBegin: Bool
  ) throws -> EngineSession {
    do {
      return try translatingErrors {
        do {
          let session = try session(of: place)
          if defersBegin, mode == .concurrent, try session.beginLater() { return session }
          try begin(session, mode)
          return session
        } catch let error as PostgreSQLError where error.kind == .connectionLost {
          generation.end()
          let session = try self.session(of: place)
          try begin(session, mode)
          return session
        }
      }
    } catch {
      throw NotBegun(cause: error)
    }
  }

  private func begin(_ session: EngineSession, _ mode: WriteMode) throws {
    let connection = session.connection
    connection.conflict = nil
    do {
      let result = try connection.execute("\(mode.begin); \(Catalogue.selectMigrations)")
      if result.count > 0 { session.note(migrations: result.text(0, 0)) }
      try session.noteBegin()
    } catch {
      connection.rollBack()
      guard error.sqlState == "0A000" else { throw error }
      // A standby server refuses the mode with the SQLSTATE of unsupported features.
      throw PostgreSQLError(.refused, error.message, sqlState: "25006")
    }
  }

  /// Notifies observers. If the commit is not published one by one, they learn which tables have
  /// changed, and not which rows.
  private func publish(_ transaction: PostgreSQLTransaction) {
    if let published = transaction.published { return published.didCommit() }
    var scope = transaction.scope
    scope.hasWritten = !transaction.writtenTables.isEmpty
    guard scope.hasWritten else { return feed.publish(nil, known: scope) }
    var changes = CommittedChanges()
    changes.unknown = transaction.writtenTables
    feed.publish(changes, known: scope)
  }
}
