import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables
import MagicRuntime

/// The connections of the pools.
extension PostgreSQLDatabase {
  func session(of place: PooledConnection) throws -> EngineSession {
    let connection = try place.connection()
    if let session = place.attachment as? EngineSession { return session }
    let session = EngineSession(connection, context, migrator)
    place.attachment = session
    return session
  }

  /// Runs a body on the thread of a connection.
  func withConnection<Result: Sendable>(
    of pool: ResourcePool<PooledConnection>,
    _ body: @Sendable (PooledConnection) throws -> Result
  ) async throws -> Result {
    try await using(pool) { place in try self.endingGeneration { try body(place) } }
  }

  /// The same, for connections whose loss does not end the generation.
  func using<Result: Sendable>(
    _ pool: ResourcePool<PooledConnection>,
    _ body: @Sendable (PooledConnection) throws -> Result
  ) async throws -> Result {
    let place = try await take(from: pool)
    defer { give(place, to: pool) }
    return try await run(on: place) { try body(place) }
  }

  /// Runs a body on the thread of a connection. Its statements are interrupted when the task is
  /// cancelled.
  func run<Result: Sendable>(
    on place: PooledConnection, _ cancellation: StatementCancellation = StatementCancellation(),
    _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await place.thread.run {
        try Self.translatingCancellation { try place.run(cancellation, body) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Only the calls of maintenance can be cancelled.
  @available(*, noasync)
  func withConnectionBlocking<Result>(
    of pool: ResourcePool<PooledConnection>, _ body: (PooledConnection) throws -> Result
  ) throws -> Result {
    let place = try translatingErrors { try pool.takeBlocking() }
    defer { give(place, to: pool) }
    guard let maintenance = Self.maintenance else {
      return try endingGeneration { try body(place) }
    }
    let statements = StatementCancellation()
    return try maintenance.interrupting({ statements.cancel() }) {
      try place.run(statements) { try endingGeneration { try body(place) } }
    }
  }

  /// Converts the error of a cancelled statement, also if it is the cause of another error.
  static func translatingCancellation<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      var cause = (error as? NotBegun)?.cause ?? error
      while let next = (cause as? MagicError)?.cause { cause = next }
      guard (cause as? PostgreSQLError)?.kind == .cancelled else { throw error }
      throw CancellationError()
    }
  }

  /// Lets all connections be opened again if an error says that the server was lost or replaced.
  func endingGeneration<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      let known = (error as? NotBegun)?.cause ?? error
      if let cause = (known as? MagicError)?.cause as? PostgreSQLError,
        cause.kind == .connectionLost || cause.kind == .uncertain && !cause.isOverdue
          || cause.sqlState == "25006"
      {
        generation.end()
      }
      throw error
    }
  }

  /// Takes a connection from a pool. The caller returns it with ``give(_:to:)``.
  func take(from pool: ResourcePool<PooledConnection>) async throws -> PooledConnection {
    do {
      return try await pool.take()
    } catch let error as PostgreSQLError {
      throw MagicError(error)
    }
  }

  func give(_ place: PooledConnection, to pool: ResourcePool<PooledConnection>) {
    guard !lifecycle.isForked else { return }
    if pool.isClosed { place.close() }
    pool.give(place)
    giveTokenIfClosed()
  }

  private var pools: [ResourcePool<PooledConnection>] {
    [writer, readers, assetStore.pool] + (replica.map { [$0.readers] } ?? [])
  }

  /// Lets the database have the same token when it is opened again, if it is closed and its last
  /// transaction has ended.
  private func giveTokenIfClosed() {
    if lifecycle.isClosed, writer.isDrained { context.giveToken() }
  }

  /// Closes the connections after the running calls have ended.
  func closeConnections() async {
    for pool in pools {
      for place in await pool.close() { place.close() }
    }
    giveTokenIfClosed()
    assetStore.removeStaging()
    await ThreadActor().run { self.context.publisher?.stop(waits: true) }
    feed.finish()
  }

  /// Closes the connections that are not in use, and the others when their calls have ended.
  func closeConnectionsWithoutWaiting() {
    for pool in pools {
      for place in pool.closeWithoutWaiting() { place.close() }
    }
    giveTokenIfClosed()
    assetStore.removeStaging()
    context.publisher?.stop(waits: false)
    feed.finish()
  }
}
