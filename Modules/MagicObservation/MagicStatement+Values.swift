public import MagicStatements
public import Magical
public import MagicSchema
import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current rows, decoded as the given types, and the rows after every commit that
  /// could have changed them.
  ///
  /// ```swift
  /// let counts = magic.sql("SELECT count(*) FROM \(table: Person.self)").values(Int.self)
  /// for try await count in counts { print(count[0]) }
  /// ```
  ///
  /// A statement that reads virtual tables, such as a full-text index, is run again after every
  /// commit.
  public func values<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) -> MagicValues<[(repeat each Value)]> {
    let statement = self
    return MagicValues(of: source) { statement.rowsRequest(repeat (each Value).self) }
  }

  /// Returns the current rows of a statement with one column, and the rows after every commit that
  /// could have changed them.
  public func values<Value: MagicalColumn & Sendable>(
    _ type: Value.Type
  ) -> MagicValues<[Value]> {
    let statement = self
    return MagicValues(of: source) { statement.rowsRequest(type) }
  }

  /// Returns the current rows with their stored values, and the rows after every commit that could
  /// have changed them.
  public func values() -> MagicValues<[MagicSQLRow]> {
    let statement = self
    return MagicValues(of: source) { statement.untypedRowsRequest() }
  }

  /// Returns the current objects whose row IDs are in the result's column `z_index`, and the
  /// objects after every commit that could have changed them.
  public func values<Model: MagicObject>(of type: Model.Type) -> MagicValues<[Model]> {
    let statement = self
    return MagicValues(of: source) { try statement.objectsRequest(of: type) }
  }
}
