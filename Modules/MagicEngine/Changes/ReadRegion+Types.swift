package import MagicSchema

extension ReadRegion {
  /// Inserts the table of a type, and the join tables of its collections.
  ///
  /// - Parameter isLoaded: whether lazy collections are excluded.
  package mutating func insert(_ schema: ObjectSchema, isLoaded: Bool) {
    insert(table: schema.tableName)
    insertLinks(of: schema, isLoaded: isLoaded)
  }

  /// Inserts the join tables of a type.
  ///
  /// - Parameters:
  ///   - isLoaded: whether lazy collections are excluded.
  ///   - excluded: other relationships that are excluded, as indexes in
  ///     `ObjectSchema.relationshipProperties`.
  package mutating func insertLinks(
    of schema: ObjectSchema, isLoaded: Bool, excluding excluded: Set<Int> = []
  ) {
    for (index, column) in zip(schema.toOnes.count..., schema.collections)
    where !(isLoaded && column.isLazy) && !excluded.contains(index) {
      insert(table: column.joinTable(of: schema))
    }
  }
}
