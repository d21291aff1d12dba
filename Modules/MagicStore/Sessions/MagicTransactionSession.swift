public import MagicSchema

/// A session in a transaction, which `withSession(_:)` runs.
///
/// ```swift
/// let count = try await magic.withSession { session in
///   session.add(Person(name: "Cleo"), Song(title: "Two"))
///   try session.flush()
///   return try session.query(Person.self).count()
/// }
/// ```
///
/// The session keeps added work in memory until ``flush()``, which writes it to the transaction.
/// Reads through the session see the flushed work and no other. When the body returns, the rest is
/// flushed and the transaction is committed. If the body throws, everything is rolled back, and the
/// objects get their previous state.
///
/// A session in a transaction cannot be copied, stored or used from another task.
public struct MagicTransactionSession: ~Copyable {
  package let context: _MagicTransactionContext
  private let work = SessionWork()

  init(_ context: _MagicTransactionContext) { self.context = context }

  /// Whether there is nothing to flush.
  public var isEmpty: Bool { work.isEmpty }

  /// Adds objects of any types to save, see ``MagicSession/add(_:upsert:)``.
  public func add(_ objects: any MagicObject..., upsert isUpsert: Bool = false) {
    work.add(objects, isUpsert ? .update : .insert)
  }

  /// Adds objects of any types to save, see ``MagicSession/add(_:upsert:)``.
  public func add(contentsOf objects: [any MagicObject], upsert isUpsert: Bool = false) {
    work.add(objects, isUpsert ? .update : .insert)
  }

  /// Adds objects of any types to merge, see ``MagicSession/merge(_:)``.
  public func merge(_ objects: any MagicObject...) { work.add(objects, .merge) }

  /// Adds objects of any types to merge, see ``MagicSession/merge(_:)``.
  public func merge(contentsOf objects: [any MagicObject]) { work.add(objects, .merge) }

  /// Adds objects of any types to delete, see ``MagicSession/delete(_:)``.
  public func delete(_ objects: any MagicObject...) { work.delete(objects) }

  /// Adds objects of any types to delete, see ``MagicSession/delete(_:)``.
  public func delete(contentsOf objects: [any MagicObject]) { work.delete(objects) }

  /// Discards the work that was added since the last ``flush()``. To roll back flushed work, throw
  /// an error in the body.
  public func rollback() { work.discard() }

  /// Creates a session whose commit adds its work to this session, see ``MagicSession/session()``.
  /// After the end of the transaction, its commit throws `.transactionOver`.
  public func session() -> MagicSession { MagicSession(.transaction(work)) }

  /// Records that the transaction has ended.
  func end() { work.end() }

  /// Writes the work to the transaction, all of it or nothing. Later reads see it. If the call
  /// throws, the session keeps the work.
  ///
  /// - Throws: `MagicError`, as a commit of a session.
  public func flush() throws {
    do {
      try context.write(isOneRow: false) { try work.take().execute(in: $0) }
      work.didStore()
    } catch {
      work.didFail()
      throw error
    }
  }
}

extension MagicTransactionSession: MagicDatabaseReader {
  /// Runs a read that sees the flushed work of the session.
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    try context._read(body)
  }
}
