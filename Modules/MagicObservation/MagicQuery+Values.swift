public import MagicQuery
import MagicStore
import MagicSchema

extension MagicQuery where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// The objects now, and again after every commit that could have changed them.
  ///
  /// ```swift
  /// for try await people in magic.query(Person.self).where(\.$age >= 18).values() {
  ///   print(people.count)
  /// }
  /// ```
  ///
  /// All that the objects refer to counts as a part of them.
  public func values() -> MagicValues<[Model]> {
    let query = self
    return MagicValues(of: source) { try query.objects }
  }
}

extension MagicSelection
where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase, Row: Sendable {
  /// The rows now, and again after every commit that could have changed them.
  public func values() -> MagicValues<[Row]> {
    let selection = self
    return MagicValues(of: source) { try selection.rows }
  }
}
