public import MagicStore

extension AsyncDatabaseReader where Self: ObservableDatabase {
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
  /// A result is repeated where the statements read other rows, values or columns than before,
  /// whatever the body makes of them. What else changes, such as the time of day, brings no result.
  ///
  /// The iterator throws what the body throws, and `.snapshotTooOld` as `read(_:)` does.
  public func values<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> MagicValues<Value> {
    MagicValues(of: self) { SnapshotRequest(body: body) }
  }
}

/// A body of reads on one snapshot. What it looks at is recorded.
private struct SnapshotRequest<Result>: ReadRequest {
  let body: @Sendable (borrowing MagicSnapshot) throws -> Result

  func read(on connection: StoreConnection) throws -> Result { try connection.run(body) }
}
