import SQLiteEngine

/// A transaction that is open: what its queries and raw SQL run on.
///
/// It ends with the body of the transaction; what is asked of it later throws `.transactionOver`.
public final class OpenTransaction {
  private var transaction: StoreTransaction?

  init(_ transaction: StoreTransaction) { self.transaction = transaction }

  /// The body is done.
  func end() { transaction = nil }

  private func current() throws -> StoreTransaction {
    guard let transaction else {
      throw MagicError(.transactionOver, "The transaction is over.")
    }
    try transaction.engine.store.lifecycle.checkMayContinue()
    return transaction
  }
}

@available(*, unavailable)
extension OpenTransaction: Sendable {}

extension OpenTransaction: DatabaseWriter {
  /// Runs a read that sees what the transaction has written.
  public func _read<Result>(_ body: (borrowing ReadAccess) throws -> Result) throws -> Result {
    let transaction = try current()
    try Task.checkCancellation()
    return try transaction.engine.store.lifecycle.explaining {
      try transaction.engine.reading { try body(ReadAccess($0)) }
    }
  }

  /// Runs a write of which nothing stays where it throws.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing WriteAccess) throws -> Result
  ) throws -> Result {
    let transaction = try current()
    try Task.checkCancellation()
    return try transaction.engine.store.lifecycle.explaining {
      try transaction.nested(isOneRow: isOneRow) { try body(WriteAccess(transaction)) }
    }
  }
}
