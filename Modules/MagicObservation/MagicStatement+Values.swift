public import Magical
public import MagicQuery
public import MagicSchema
import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// The rows now, each read as the given types, and again after every commit that could have changed
  /// them.
  ///
  /// ```swift
  /// let counts = magic.sql("SELECT count(*) FROM \(table: Person.self)").values(Int.self)
  /// for try await count in counts { print(count[0]) }
  /// ```
  ///
  /// A statement that looks into tables of modules, such as a full-text index, is run again after
  /// every commit.
  public func values<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) -> MagicValues<[(repeat each Value)]> {
    let statement = self
    return MagicValues(of: source) { statement.rowsRequest(repeat (each Value).self) }
  }

  /// The rows of one column now, and again after every commit that could have changed them.
  public func values<Value: MagicalColumn & Sendable>(
    _ type: Value.Type
  ) -> MagicValues<[Value]> {
    let statement = self
    return MagicValues(of: source) { statement.rowsRequest(type) }
  }

  /// The rows now, as the database has them, and again after every commit that could have changed them.
  public func values() -> MagicValues<[MagicSQLRow]> {
    let statement = self
    return MagicValues(of: source) { statement.untypedRowsRequest() }
  }

  /// The objects that the rows name by a column `z_index`, now and again after every commit that could
  /// have changed them.
  public func values<Model: MagicObject>(of type: Model.Type) -> MagicValues<[Model]> {
    let statement = self
    return MagicValues(of: source) { try statement.objectsRequest(of: type) }
  }
}
