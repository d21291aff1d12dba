import MagicEngine
import MagicGraph

/// A transaction that is open: what its queries and raw SQL run on.
///
/// It ends with the body of the transaction; what is asked of it later throws `.transactionOver`.
public final class _MagicTransactionContext {
  private var objects: ObjectTransaction?

  init(_ objects: ObjectTransaction) { self.objects = objects }

  /// The body is done.
  func end() { objects = nil }

  private func current() throws -> ObjectTransaction {
    guard let objects else {
      throw MagicError(.transactionOver, "The transaction is over.")
    }
    return objects
  }
}

@available(*, unavailable)
extension _MagicTransactionContext: Sendable {}

extension _MagicTransactionContext: MagicDatabaseWriter {
  /// Runs a read that sees what the transaction has written. Outdated tables are migrated.
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

  /// Runs a write of which nothing stays where it throws.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result {
    let objects = try current()
    return try objects.engine.reader.performing {
      try objects.nested(isOneRow: isOneRow) { try body(_MagicWriteAccess(objects)) }
    }
  }
}
