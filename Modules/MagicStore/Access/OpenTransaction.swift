import MagicEngine
import MagicGraph

/// A transaction that is open: what its queries and raw SQL run on.
///
/// It ends with the body of the transaction; what is asked of it later throws `.transactionOver`.
public final class OpenTransaction {
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
extension OpenTransaction: Sendable {}

extension OpenTransaction: DatabaseWriter {
  /// Runs a read that sees what the transaction has written. Outdated tables are migrated.
  public func _read<Result>(_ body: (borrowing ReadAccess) throws -> Result) throws -> Result {
    let engine = try current().engine
    let reader = engine.reader
    return try reader.performing {
      try engine.requireOpen()
      return try retryingAfterMigration {
        try body(ReadAccess(reader))
      } migrate: {
        try engine.updateTable(of: $0)
      }
    }
  }

  /// Runs a write of which nothing stays where it throws.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing WriteAccess) throws -> Result
  ) throws -> Result {
    let objects = try current()
    return try objects.engine.reader.performing {
      try objects.nested(isOneRow: isOneRow) { try body(WriteAccess(objects)) }
    }
  }
}
