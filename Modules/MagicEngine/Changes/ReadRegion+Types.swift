package import MagicSchema

extension ReadRegion {
  /// Inserts the table of a type, and the join tables of its collections.
  ///
  /// - Parameter isLoaded: whether lazy collections are excluded.
  package mutating func insert(_ schema: ObjectSchema, isLoaded: Bool) {
    insert(table: schema.tableName)
    for column in schema.collections where !(isLoaded && column.isLazy) {
      insert(table: column.joinTable(of: schema))
    }
  }
}
