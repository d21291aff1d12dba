import MagicEngine
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader where Self: ObservableMagicDatabase {
  /// What a body of reads returns now, and again after every commit that could have changed it:
  /// counts, groups, several reads that belong together, raw SQL.
  ///
  /// ```swift
  /// let adults = magic.values { snapshot in
  ///   try snapshot.query(Person.self).where(\.$age >= 18).count()
  /// }
  /// for try await count in adults { print(count) }
  /// ```
  ///
  /// The body sees one snapshot, as that of `read(_:)` does. What it looks at is recorded while it
  /// runs, and may depend on what it finds. It runs twice for the first result, and where it looks at
  /// something that it did not look at before; so it has no effects but what it returns.
  ///
  /// A result comes where the statements read other rows, values or columns than before, and where the
  /// result, if it is `Equatable`, is not equal to the last one. A result of another type, such as a
  /// tuple, may therefore be repeated. What else changes, such as the time of day, brings no result.
  ///
  /// The iterator throws what the body throws. Where the snapshot is taken away, as that of `read(_:)`
  /// may be, the body runs again on a newer one; after the third time the iterator throws
  /// `.snapshotTooOld`.
  public func values<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> MagicValues<Value> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// What a body of reads returns, as `values(_:)` for any result, where it is not equal to the last
  /// result.
  ///
  /// Objects inside of a result, such as those of a dictionary, are compared by their own `==`. One that
  /// compares primary values alone hides other changes.
  public func values<Value: Equatable & Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> MagicValues<Value> {
    MagicValues(of: self, areEqual: ==) { SnapshotRequest(body: body) }
  }

  /// The objects that a body of reads returns, where the statements read something else than before,
  /// whatever `==` says of objects.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> [Model]
  ) -> MagicValues<[Model]> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// The object that a body of reads returns, as the objects above.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Model
  ) -> MagicValues<Model> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }

  /// The object that a body of reads returns, or nil, as the objects above.
  public func values<Model: MagicObject & Equatable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Model?
  ) -> MagicValues<Model?> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }
}

/// A body of reads on one snapshot. What it looks at is recorded.
private struct SnapshotRequest<Result>: ReadRequest {
  let body: @Sendable (borrowing MagicSnapshot) throws -> Result

  func read(on reader: any EngineReader) throws -> Result { try reader.run(body) }
}
