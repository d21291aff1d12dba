import MagicEngine
import MagicGraph

/// An open transaction, on which queries and raw SQL run.
///
/// The transaction ends when its body returns. Later calls throw `.transactionOver`.
public final class _MagicTransactionContext {
  private var objects: ObjectTransaction?

  init(_ objects: ObjectTransaction) { self.objects = objects }

  /// Ends the transaction after its body has returned.
  func end() { objects = nil }

  private func current() throws -> ObjectTransaction {
    guard let objects else {
      throw MagicError(.transactionOver, "The transaction has ended.")
    }
    return objects
  }
}

@available(*, unavailable)
extension _MagicTransactionContext: Sendable {}

extension _MagicTransactionContext: MagicDatabaseWriter {
  /// Runs a read that sees the writes of the transaction. Migrates outdated tables first.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    let engine = try current().engine
    let reader = engine.reader
    return try reader.performing {
      try engine.requireOpen()
      return try retryingAfterMigration {
        try body(_MagicReadAccess(reader))
      } migrate: {
        try engine.updateTable(of: $0)
      }
    }
  }

  /// Runs a write. If the write throws, its changes are rolled back.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result {
    try write(isOneRow: isOneRow) { try body(_MagicWriteAccess($0)) }
  }

  /// Like `_write(isOneRow:_:)`, for callers in this module: the optimizer of Swift 6.3 crashes where
  /// it specializes a closure that creates the noncopyable `_MagicWriteAccess`.
  func write<Result>(
    isOneRow: Bool, _ body: (ObjectTransaction) throws -> Result
  ) throws -> Result {
    let objects = try current()
    return try objects.engine.reader.performing {
      try objects.nested(isOneRow: isOneRow) { try body(objects) }
    }
  }
}
