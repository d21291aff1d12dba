public import MagicSchema

/// A unit of work: objects to save and to delete, of any types, which one transaction stores.
///
/// ```swift
/// let session = magic.session()
/// session.add(ada, mix)
/// session.add(Person(name: "Bea"))
/// session.delete(song)
/// try await session.commit()
/// ```
///
/// A session keeps its work in memory and no transaction open: until `commit()` the database
/// does not change, reads do not see the work, and other tasks can write. A session that is released
/// without a commit discards its work. A commit executes the work in the order in which it was
/// added, all of it or nothing. Observers are notified once.
///
/// The session refers to the objects, and the commit saves the values that they have then. A session
/// can be used from any task, and again after a commit. It keeps its database open.
///
/// A session has no `flush()`, because without a transaction other tasks would see the flushed work
/// before the commit. In `withSession(_:)`, ``MagicTransactionSession/flush()`` writes the work to
/// the transaction.
public final class MagicSession: Sendable {
  enum Target: Sendable {
    case store(MagicObjectStore)
    /// The outer session, to which each commit adds its work.
    case session(MagicSession)
    /// The work of the outer session, which is in a transaction.
    case transaction(SessionWork)
  }

  let target: Target
  let work = SessionWork()

  init(_ target: Target) { self.target = target }

  /// Whether there is nothing to commit. The work of a running commit counts until its end.
  public var isEmpty: Bool { work.isEmpty }

  /// Adds objects of any types, which the next commit saves, and the objects that they refer to. An
  /// object that was fetched or saved before is updated. A new object is inserted.
  ///
  /// Adding an object again changes nothing except `upsert`. An object that was to be deleted is
  /// saved instead.
  ///
  /// - Parameter isUpsert: what the commit does if a stored row has the primary value or key of a new
  ///   object. False: it throws `.notUnique`. True: it updates the row, as `update(_:)` does.
  ///   Default: false.
  public func add(_ objects: any MagicObject..., upsert isUpsert: Bool = false) {
    add(contentsOf: objects, upsert: isUpsert)
  }

  /// Adds objects of any types, see ``add(_:upsert:)``.
  public func add(contentsOf objects: [any MagicObject], upsert isUpsert: Bool = false) {
    work.add(objects, isUpsert ? .update : .insert)
  }

  /// Adds objects of any types, which the next commit merges: a new object whose primary value or
  /// key is stored updates only the properties that were assigned, and gets the other values of the
  /// row, as with `merge(_:)` of the database. Otherwise the object is saved as by `add`.
  ///
  /// For an object that was added before, this call determines how it is saved.
  public func merge(_ objects: any MagicObject...) { merge(contentsOf: objects) }

  /// Adds objects of any types to merge, see ``merge(_:)``.
  public func merge(contentsOf objects: [any MagicObject]) { work.add(objects, .merge) }

  /// Adds objects of any types whose rows the next commit deletes, in order.
  ///
  /// An object that was added to the session is not saved. If it has no row, the commit ignores it.
  /// For other objects without a row the commit throws `.notSaved`.
  public func delete(_ objects: any MagicObject...) { delete(contentsOf: objects) }

  /// Adds objects of any types to delete, see ``delete(_:)``.
  public func delete(contentsOf objects: [any MagicObject]) { work.delete(objects) }

  /// Discards the work that was added since the last commit. The objects keep their values. The work
  /// of a running commit is not affected.
  public func rollback() { work.discard() }

  /// Creates a session whose commit adds its work to this session, and stores nothing. Its rollback
  /// discards only its own work, and so does releasing it without a commit. It keeps this session.
  public func session() -> MagicSession { MagicSession(.session(self)) }
}
