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
/// Reads in the transaction see its writes. Other readers see them only after the commit, with one
/// exception: objects in memory have their row IDs, auto-incremented primaries and versions
/// immediately. A call that throws has no effect, and the transaction can continue. If the body
/// throws, everything is rolled back: the objects in memory that were saved or removed get their
/// previous state. Values that the program has set are kept, and are still marked as changed.
///
/// Some errors roll back the whole transaction, for example a full disk. Later calls on the
/// transaction then throw `.transactionOver` with that error as the cause. The call that ran the
/// body throws the original error, unless the body throws another error.
///
/// A transaction cannot be copied, stored or used from another task.
public struct MagicTransaction: ~Copyable {
  package let context: _MagicTransactionContext

  init(_ context: _MagicTransactionContext) { self.context = context }
}

extension MagicTransaction: MagicDatabaseWriter {
  /// Runs a read that sees the writes of the transaction.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    try context._read(body)
  }

  /// Runs a write. If the write throws, its changes are rolled back.
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result {
    try context._write(isOneRow: isOneRow, body)
  }
}

extension ObjectTransaction {
  /// Runs a user-provided body.
  package func run<Result>(
    _ body: (borrowing MagicTransaction) throws -> Result
  ) throws -> Result {
    let context = _MagicTransactionContext(self)
    defer { context.end() }
    let result = try body(MagicTransaction(context))
    // The body may have ignored an error that a method threw because of the cancellation.
    try Task.checkCancellation()
    return result
  }
}
