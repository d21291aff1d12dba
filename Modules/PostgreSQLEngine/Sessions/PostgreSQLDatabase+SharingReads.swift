import Dispatch
import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// Lookups of several tasks, which share a connection and a message to the server.
///
/// The body of a lookup runs twice: first on the thread of its task, up to its statement, which is sent
/// without waiting; and on the thread of the connection, with the answer. So the server works while the
/// threads change. Other reads run once, on the thread of a connection. If an answer takes long, the
/// bodies of the reads that wait for it run another time, to find those that are no lookups.
extension PostgreSQLDatabase {
  /// Runs a read, with those that wait for a connection.
  ///
  /// - Returns: nil if the read must run by itself.
  func sharing<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result? {
    try await withoutActuallyEscaping(body) { body in
      let stored = StoredResult<Result>()
      let read = SharedRead { stored.value = try body($0) }
      defer { read.run = nil }
      while true {
        switch await sharedReads.enter(read) {
        case .leads:
          let cancellation = StatementCancellation()
          do {
            try await lead(read, cancellation)
          } catch is CancellationError where cancellation.isCancelled && !Task.isCancelled {
            // Another task was cancelled whose lookup shared the message.
            return nil
          }
          return stored.value
        case .ended(.completed): return stored.value
        case .ended(.mustRunAlone): return nil
        case .ended(.failed(let error)): throw error
        case .delayed:
          let place = try await take(from: readers)
          defer { give(place, to: readers) }
          guard isLookUp(read, on: place) else {
            return try await run(on: place) {
              try self.endingGeneration { try self.read(on: place, body) }
            }
          }
          read.waitsLong = true
        }
      }
    }
  }

  /// Returns whether a read is a lookup, as far as it is known without the server.
  private func isLookUp(_ read: SharedRead, on place: PooledConnection) -> Bool {
    // Without a session nothing is known. A lookup that ran alone would keep a connection while its
    // table is locked.
    guard let session = place.openAttachment as? EngineSession else { return true }
    session.connection.mustNotWait = true
    defer { session.connection.mustNotWait = false }
    let reader = PostgreSQLReader(session, lookUp: .isSought)
    // The body ends with an error at its first statement.
    _ = Result { try markingCall { try read.run?(reader) } }
    if case .found = reader.lookUp { return true }
    return false
  }

  /// Runs a read, and the lookups among the reads that wait when a connection is free.
  private func lead(_ read: SharedRead, _ cancellation: StatementCancellation) async throws {
    let place: PooledConnection
    do {
      place = try await take(from: readers)
    } catch {
      sharedReads.leave()
      throw error
    }
    defer { give(place, to: readers) }
    let others = sharedReads.takeWaiting(cancelledBy: cancellation)
    let sent = sendAhead([read] + others, on: place)
    var next = sent[...]
    for call in [read] + others {
      if next.first === call {
        next.removeFirst()
      } else if call !== read {
        call.end(.mustRunAlone)
      }
    }
    // Lookups wait for those that are sent, so that more of them run together. A lookup may take
    // long, for example because its table is locked.
    let isShared = sent.count > 1
    if !isShared { sharedReads.leave() }
    try await run(on: place, cancellation) {
      if isShared {
        let session = place.openAttachment as? EngineSession
        let limit = self.settings.lookUpMilliseconds
        let start = DispatchTime.now().uptimeNanoseconds
        let usual = min(self.sharedReads.usualMilliseconds, limit)
        if session?.connection.waitForAnswer(milliseconds: usual) == false {
          self.sharedReads.noteDelay()
          session?.connection.waitForAnswer(milliseconds: limit)
        }
        self.sharedReads.noteAnswer(after: DispatchTime.now().uptimeNanoseconds - start)
        self.sharedReads.leave()
      }
      try self.endingGeneration {
        let answers = self.takeAnswers(to: sent, on: place)
        try self.answer(read, sent, answers, on: place)
      }
    }
  }

  /// Sends the statements of the lookups among reads. Does not wait for the server.
  ///
  /// - Returns: the lookups whose statements were sent, in the order of the reads.
  private func sendAhead(_ reads: [SharedRead], on place: PooledConnection) -> [SharedRead] {
    guard let session = place.openAttachment as? EngineSession, !session.needsMigrationCheck
    else { return [] }
    let connection = session.connection
    connection.mustNotWait = true
    defer { connection.mustNotWait = false }
    let sent = reads.filter { read in
      let reader = PostgreSQLReader(session, lookUp: .isSent)
      // The body ends with an error when its statement was sent, or when it would wait.
      _ = Result { try markingCall { try read.run?(reader) } }
      if case .sent(let statement) = reader.lookUp {
        read.statement = statement
        return true
      }
      return false
    }
    // An error is reported again when the answers are read.
    if !sent.isEmpty { _ = Result { () throws(PostgreSQLError) in try connection.flushAhead() } }
    return sent
  }

  /// Returns the answers to lookups; nil if one of them has failed.
  private func takeAnswers(
    to sent: [SharedRead], on place: PooledConnection
  ) -> [PostgreSQLReader.LookUp]? {
    guard !sent.isEmpty, let session = place.attachment as? EngineSession else { return nil }
    do {
      let results = try session.connection.takeResultsAhead()
      return zip(sent, results).map { read, result in
        read.statement.map { .answered($0, result) } ?? .alone
      }
    } catch {
      if session.connection.isLost { generation.end() }
      return nil
    }
  }

  /// Runs the bodies of lookups with their answers, and then the read of the task that leads.
  private func answer(
    _ own: SharedRead, _ sent: [SharedRead], _ answers: [PostgreSQLReader.LookUp]?,
    on place: PooledConnection
  ) throws {
    var ownLookUp = PostgreSQLReader.LookUp.alone
    for (index, read) in sent.enumerated() {
      let lookUp = answers.map { $0[index] }
      if read === own {
        ownLookUp = lookUp ?? .alone
      } else {
        read.end(lookUp.map { complete(read, $0, on: place) } ?? .mustRunAlone)
      }
    }
    try read(on: place, lookUp: ownLookUp) { try own.run?($0) }
  }

  /// Runs the body of a lookup with its answer. A body that needs another statement runs again by
  /// itself.
  private func complete(
    _ read: SharedRead, _ lookUp: PostgreSQLReader.LookUp, on place: PooledConnection
  ) -> SharedRead.Outcome {
    guard let session = place.openAttachment as? EngineSession else { return .mustRunAlone }
    session.connection.mustNotWait = true
    defer { session.connection.mustNotWait = false }
    do {
      try markingCall { try read.run?(PostgreSQLReader(session, lookUp: lookUp)) }
      try context.checkMayContinue()
      return .completed
    } catch let error as MagicError where !(error.cause is PostgreSQLError) {
      return .failed(error)
    } catch {
      return .mustRunAlone
    }
  }
}
