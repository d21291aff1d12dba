import MagicEngine
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader where Self: ObservableMagicDatabase {
  /// Returns the current result of a closure of reads, and its result after every commit that could
  /// have changed it. The closure can contain counts, groups, several reads that need one snapshot,
  /// and raw SQL.
  ///
  /// ```swift
  /// let adults = magic.values { snapshot in
  ///   try snapshot.query(Person.self).where(\.$age >= 18).count()
  /// }
  /// for try await count in adults { print(count) }
  /// ```
  ///
  /// All reads of the closure see one snapshot, as in `read(_:)`. The tables and columns that the
  /// closure reads are recorded while it runs, and may differ each time. The closure runs twice for
  /// the first result, and again when it reads a table or column that it did not read before.
  /// Therefore it should have no side effects.
  ///
  /// A new result is returned if the statements read different rows, values or columns than before.
  /// If the result is `Equatable`, it must also differ from the last one. A result that is not
  /// `Equatable`, such as a tuple, may therefore be repeated. Changes outside the database, such as
  /// the time of day, do not produce a result.
  ///
  /// The iterator throws the errors of the closure. If the snapshot is closed because the
  /// write-ahead log is too large, as in `read(_:)`, the closure runs again on a newer snapshot. If
  /// the third snapshot is closed too, the iterator throws `.snapshotTooOld`.
  public func values<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> MagicValues<Value> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// Returns the results of a closure of reads, like `values(_:)` for other result types, but
  /// without results that equal the last one.
  ///
  /// Objects in a result, such as the values of a dictionary, are compared by their own `==`. If
  /// that operator compares only primary values, changes of other properties yield no result.
  public func values<Value: Equatable & Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> MagicValues<Value> {
    MagicValues(of: self, areEqual: ==) { SnapshotRequest(body: body) }
  }

  /// Returns the objects that a closure of reads returns: the current ones, and new ones whenever
  /// its statements read different values than before. The `==` of the objects is not used.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> [Model]
  ) -> MagicValues<[Model]> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// Returns the object that a closure of reads returns: the current one, and a new one whenever
  /// its statements read different values than before. The `==` of the object is not used.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Model
  ) -> MagicValues<Model> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// Returns the object or nil that a closure of reads returns: the current one, and a new one
  /// whenever its statements read different values than before. The `==` of the object is not used.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Model?
  ) -> MagicValues<Model?> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }
}

/// A request that runs a closure of reads on one snapshot. Its region is recorded while it runs.
struct SnapshotRequest<Result>: ReadRequest {
  let body: @Sendable (borrowing MagicSnapshot) throws -> Result

  func read(on reader: any EngineReader) throws -> Result { try reader.run(body) }
}
