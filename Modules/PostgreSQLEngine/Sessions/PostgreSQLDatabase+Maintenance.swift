package import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLMaintenance
import PostgreSQLSearch
import PostgreSQLTables

/// Verification and repair, and what files need and a server does not.
extension PostgreSQLDatabase {
  /// The token of the maintenance operation that runs on the thread; nil for other calls.
  @TaskLocal static var maintenance: CancellationToken?

  package func maintaining<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let cancellation = CancellationToken()
    return try await withTaskCancellationHandler {
      try await ThreadActor().run {
        try Self.translatingCancellation {
          try Self.$maintenance.withValue(cancellation) { try body(cancellation) }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  @available(*, noasync)
  package func maintainingBlocking<Result>(
    _ body: (CancellationToken) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try body(CancellationToken())
  }

  /// Checks what the server does not enforce, on a connection of its own, because the check may take
  /// long.
  package func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    let connection = try Self.connect(settings, context)
    defer { connection.close() }
    let statements = StatementCancellation()
    return try cancellation.interrupting({ statements.cancel() }) {
      connection.attach(statements)
      defer { _ = statements.end() }
      _ = try translatingErrors {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      }
      var verification = Verification(connection, limit: limit, cancellation)
      return try verification.run()
    }
  }

  /// Builds search indexes with faults again, while no other transaction writes. Those of types that this
  /// process has not used are dropped, and the next search creates them.
  ///
  /// - Returns: the first finding of each index.
  @available(*, noasync)
  package func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    try writeBlocking { transaction in
      guard let session = (transaction as? PostgreSQLTransaction)?.session else {
        return MagicReport()
      }
      var verification = Verification(session.connection, limit: limit, cancellation)
      let (wrong, report) = try verification.wrongSearches()
      guard !wrong.isEmpty else { return report }
      let types = wrong.compactMap { context.owners.type(of: $0.table) }
      try TableUpdate(session: session).update(types, dropping: wrong.flatMap(\.drop))
      return report
    }
  }

  @available(*, noasync)
  package func prepareForSharing(isCopy: Bool, _ cancellation: CancellationToken) throws {
    throw MagicError.unsupported("copies on other devices")
  }

  package func backUp(
    to path: String, allowsMissingAssets: Bool, compacts: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws {
    throw MagicError(
      .invalidOption, "A database of PostgreSQL has no file to copy. Use pg_dump or pg_basebackup.")
  }

  /// Does nothing, because the server reclaims free space.
  @available(*, noasync)
  package func compact(
    _ cancellation: CancellationToken, progress: @escaping (MagicCompactionProgress) -> Void
  ) throws -> MagicCompaction {
    progress(MagicCompactionProgress(pagesDone: 0, pageCount: 0))
    return MagicCompaction(bytesBefore: 0, bytesAfter: 0)
  }
}
