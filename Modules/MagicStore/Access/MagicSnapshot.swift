package import MagicEngine

/// A snapshot of a database: several reads that see one state of it. Concurrent writes do not
/// affect it.
///
/// ```swift
/// let (people, count) = try await magic.read { snapshot in
///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
/// }
/// ```
///
/// A snapshot cannot be copied, stored or used from another task.
public struct MagicSnapshot: ~Copyable {
  package let context: _MagicSnapshotContext

  init(_ context: _MagicSnapshotContext) { self.context = context }
}

extension MagicSnapshot: MagicDatabaseReader {
  /// Runs a read on the snapshot.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    try context._read(body)
  }
}

/// An open snapshot, on which queries and raw SQL run.
///
/// The snapshot ends when the body of the read returns. Later calls throw `.transactionOver`.
public final class _MagicSnapshotContext {
  private var reader: (any EngineReader)?
  /// What a read requires, for example a migration. If set, no more reads are allowed, and the body runs
  /// again afterwards.
  private(set) var required: (any RestartRequired)?

  init(_ reader: any EngineReader) { self.reader = reader }

  /// Ends the snapshot after the body has returned.
  func end() { reader = nil }
}

@available(*, unavailable)
extension _MagicSnapshotContext: Sendable {}

extension _MagicSnapshotContext: MagicDatabaseReader {
  /// Runs a read on the snapshot.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    guard let reader else {
      throw MagicError(.transactionOver, "The snapshot has ended.")
    }
    do {
      return try reader.performing {
        guard required == nil else { throw MagicError.bodyRunsAgain() }
        return try body(_MagicReadAccess(reader))
      }
    } catch let error as any RestartRequired {
      // Recorded here because the body may catch the error and not rethrow it.
      required = error
      throw MagicError.bodyRunsAgain()
    }
  }
}

extension EngineReader {
  /// Runs a user-provided body on a new snapshot, or in the snapshot or transaction that is open.
  ///
  /// - Throws: the errors of the body; `MagicError` with `.snapshotTooOld` if a read threw it and
  ///   the body ignored it; ``RestartRequired`` if a read threw it, even if the body caught it.
  package func run<Result>(
    _ body: (borrowing MagicSnapshot) throws -> Result
  ) throws -> Result {
    try withSnapshot {
      let context = _MagicSnapshotContext(self)
      defer { context.end() }
      let result = Swift.Result { try body(MagicSnapshot(context)) }
      if let required = context.required { throw required }
      return try result.get()
    }
  }
}

extension MagicError {
  fileprivate static func bodyRunsAgain() -> MagicError {
    MagicError(
      .transactionOver,
      "A table must be migrated, or a search index updated. Then the body of the read runs again.")
  }
}
