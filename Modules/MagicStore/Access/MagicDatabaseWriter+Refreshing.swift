import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Gives the properties of an object the values of its row, as if the object was fetched now.
  /// Changes that were not saved are discarded, also edits of inverse relationships, and all copies
  /// of the object get the values.
  ///
  /// To-ones and collections refer to newly fetched objects. Lazy values that were set return to the
  /// stored ones, which are fetched when they are read, as are inverse relationships. Plain
  /// properties are not changed. Each value is set atomically, but not all at one moment.
  ///
  /// The call waits for other writes, so that it does not undo a save of the same object in memory.
  /// It writes nothing, unless the table of the type must be migrated first, and works in a read-only
  /// database too. In a transaction, it sees the writes of the transaction; a rollback restores the
  /// values from before, except for properties that were set after the call.
  ///
  /// - Throws: `MagicError`: `.notSaved` for an object that is not in this database, `.notFound` if
  ///   its row was deleted, and other codes. The object is unchanged then.
  /// - Complexity: as fetching the object.
  public func refresh<Model: MagicObject>(_ object: Model) async throws {
    try await refresh(contentsOf: CollectionOfOne(object))
  }

  /// Gives the properties of objects the values of their rows, which are read from one snapshot.
  ///
  /// - Throws: `MagicError`, as for one object. No object is changed then.
  public func refresh<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws {
    let schema = try ObjectSchema.of(Model.self)
    let objects = Array(objects)
    do {
      try await _write(isRepeatable: true) { try $0.objects.refresh(objects, schema) }
    } catch let error as MagicError where error.code == .readOnly {
      try await _read { try $0.reader.refresh(objects, schema) }
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `refresh(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func refresh<Model: MagicObject>(_ object: Model) throws {
    try refresh(contentsOf: CollectionOfOne(object))
  }

  /// Like the asynchronous `refresh(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func refresh<Model: MagicObject>(contentsOf objects: some Sequence<Model>) throws {
    let schema = try ObjectSchema.of(Model.self)
    let objects = Array(objects)
    do {
      try _write { try $0.objects.refresh(objects, schema) }
    } catch let error as MagicError where error.code == .readOnly {
      try _read { try $0.reader.refresh(objects, schema) }
    }
  }
}
