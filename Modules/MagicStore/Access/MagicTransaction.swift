package import MagicGraph

/// A transaction: several reads and writes that are stored together or not at all.
///
/// ```swift
/// try await magic.transaction { transaction in
///   let person = try transaction.object(of: Person.self, primary: id)
///   person.age += 1
///   try transaction.update(person)
/// }
/// ```
///
/// Its reads see what it has written; no other reader does before it is committed, except that objects in
/// memory show their z-indexes and counted primaries at once. A verb that throws
/// leaves nothing of its own behind, and the transaction may go on. When the body throws, all is
/// rolled back: objects in memory that it saved or removed are again what they were, and values
/// that were set stay set and stay marked as changed.
///
/// After an error that rolled everything back, such as that of a full disk, whatever is asked of it
/// throws `.transactionOver` with that error as the cause. The call that ran the body then throws the
/// error itself, unless the body throws one of its own.
///
/// It cannot be copied, kept or used from another task.
public struct MagicTransaction: ~Copyable {
  package let context: _MagicTransactionContext

  init(_ context: _MagicTransactionContext) { self.context = context }
}

extension MagicTransaction: MagicDatabaseWriter {
  /// Runs a read that sees what the transaction has written.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    try context._read(body)
  }

  /// Runs a write of which nothing stays where it throws.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result {
    try context._write(isOneRow: isOneRow, body)
  }
}

extension ObjectTransaction {
  /// Runs a body of the user's.
  package func run<Result>(
    _ body: (borrowing MagicTransaction) throws -> Result
  ) throws -> Result {
    let context = _MagicTransactionContext(self)
    defer { context.end() }
    let result = try body(MagicTransaction(context))
    // The body may have passed over the error of a verb that noticed.
    try Task.checkCancellation()
    return result
  }
}
