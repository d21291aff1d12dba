package import MagicEngine

/// A snapshot of a database: several reads that see one state of it, whatever is written meanwhile.
///
/// ```swift
/// let (people, count) = try await magic.read { snapshot in
///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
/// }
/// ```
///
/// It cannot be copied, kept or used from another task.
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

/// A snapshot that is open: what its queries and raw SQL run on.
///
/// It ends with the body of the read; what is asked of it later throws `.transactionOver`.
public final class _MagicSnapshotContext {
  private var reader: (any EngineReader)?
  /// What a read failed of: the snapshot is over, and its body runs again once the table was
  /// changed.
  private(set) var required: MigrationRequired?

  init(_ reader: any EngineReader) { self.reader = reader }

  /// The body is done.
  func end() { reader = nil }
}

@available(*, unavailable)
extension _MagicSnapshotContext: Sendable {}

extension _MagicSnapshotContext: MagicDatabaseReader {
  /// Runs a read on the snapshot.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    guard let reader else {
      throw MagicError(.transactionOver, "The snapshot is over.")
    }
    do {
      return try reader.performing {
        guard required == nil else { throw MagicError.bodyRunsAgain() }
        return try body(_MagicReadAccess(reader))
      }
    } catch let error as MigrationRequired {
      // The body may catch an error, so it is not left to it to rethrow this one.
      required = error
      throw MagicError.bodyRunsAgain()
    }
  }
}

extension EngineReader {
  /// Runs a body of the user's on one snapshot, or in the one or the transaction that is open.
  ///
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the body ignored that a
  ///   read threw it; ``MigrationRequired`` where a read threw it, whatever the body made of it.
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
      .transactionOver, "A table must be changed first: then the body of the read runs again.")
  }
}
