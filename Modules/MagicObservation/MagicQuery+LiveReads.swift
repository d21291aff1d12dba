public import MagicQuery
import MagicSchema
public import MagicStatements
public import MagicStore

// Each call that reads a query once can be followed: the closure receives the query and reads it.

extension MagicQuery where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current result of a read of the query, and its result after every commit that
  /// changed what the read returns.
  ///
  /// ```swift
  /// let adults = magic.query(Person.self).where(\.$age >= 18)
  /// for try await count in adults.values({ try $0.count() }) { print(count) }
  /// ```
  ///
  /// The closure can also group, select or aggregate, and read several times: all of its reads see
  /// one snapshot. The rules of `values(_:)` of the database apply.
  public func values<Value: Sendable>(
    _ read: @escaping @Sendable (MagicQuery<Model, _MagicSnapshotContext>) throws -> Value
  ) -> MagicValues<Value> {
    let query = self
    return MagicValues(of: source) { SnapshotRequest { try read(query.onSnapshot($0)) } }
  }
}

extension MagicSelection where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current result of a read of the selection, such as `{ try $0.count() }`, and its
  /// result after every commit that changed what the read returns.
  public func values<Value: Sendable>(
    _ read: @escaping @Sendable (MagicSelection<Model, Row, _MagicSnapshotContext>) throws -> Value
  ) -> MagicValues<Value> {
    let selection = self
    return MagicValues(of: source) { SnapshotRequest { try read(selection.onSnapshot($0)) } }
  }
}

extension MagicGroups where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current result of a read of the groups, such as `{ try $0.count() }`, and its
  /// result after every commit that changed what the read returns.
  public func values<Value: Sendable>(
    _ read: @escaping @Sendable (MagicGroups<Model, Key, _MagicSnapshotContext>) throws -> Value
  ) -> MagicValues<Value> {
    let groups = self
    return MagicValues(of: source) { SnapshotRequest { try read(groups.onSnapshot($0)) } }
  }
}

extension MagicSections
where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase, Key: Sendable {
  /// Returns the current sections with their objects, and the sections after every commit that could
  /// have changed them.
  public func values() -> MagicValues<[MagicSection<Model, Key>]> { values { try $0.all() } }

  /// Returns the current result of a read of the sections, such as `{ try $0.count() }`, and its
  /// result after every commit that changed what the read returns.
  public func values<Value: Sendable>(
    _ read: @escaping @Sendable (MagicSections<Model, Key, _MagicSnapshotContext>) throws -> Value
  ) -> MagicValues<Value> {
    let sections = self
    return MagicValues(of: sections.source) {
      SnapshotRequest { try read(sections.onSnapshot($0)) }
    }
  }
}

extension MagicStatement where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current result of a read of the statement, and its result after every commit that
  /// changed what the read returns.
  ///
  /// ```swift
  /// let oldest = magic.sql("SELECT max(age) FROM Person").values { try $0.value(Int.self) }
  /// ```
  public func values<Value: Sendable>(
    _ read: @escaping @Sendable (MagicStatement<_MagicSnapshotContext>) throws -> Value
  ) -> MagicValues<Value> {
    let statement = self
    return MagicValues(of: source) { SnapshotRequest { try read(statement.onSnapshot($0)) } }
  }

  /// Returns the current rows as values of a type, by the names of the columns, and the rows after
  /// every commit that could have changed them.
  public func values<Row: Decodable & Sendable>(as type: Row.Type) -> MagicValues<[Row]> {
    let statement = self
    return MagicValues(of: source) { statement.rowsRequest(as: type) }
  }
}
