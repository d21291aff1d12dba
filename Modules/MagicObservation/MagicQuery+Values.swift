public import MagicQuery
import MagicStore
import MagicSchema

extension MagicQuery where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the current objects, and the objects after every commit that could have changed them.
  ///
  /// ```swift
  /// for try await people in magic.query(Person.self).where(\.$age >= 18).values() {
  ///   print(people.count)
  /// }
  /// ```
  ///
  /// A change to an object that the objects refer to also yields a new result.
  public func values() -> MagicValues<[Model]> {
    let query = self
    return MagicValues(of: source) { try query.objects }
  }
}

extension MagicSelection
where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase, Row: Sendable {
  /// Returns the current rows, and the rows after every commit that could have changed them.
  public func values() -> MagicValues<[Row]> {
    let selection = self
    return MagicValues(of: source) { try selection.rows }
  }
}
