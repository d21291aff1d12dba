import MagicRequests
package import MagicSchema

/// The properties that the paths of a query name by their indexes.
extension ObjectSchema {
  /// Returns the to-one relationship at an index.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  package func toOne(at index: Int) throws -> ToOneColumn {
    guard index >= 0, index < columns.count, let toOne = columns[index] as? ToOneColumn else {
      throw MagicError.malformedQuery
    }
    return toOne
  }

  /// Returns the type of the objects that to-one relationships refer to, one after the other.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  package func target(through toOnes: [Int]) throws -> ObjectSchema {
    var schema = self
    for step in toOnes { schema = try schema.toOne(at: step).target }
    return schema
  }

  /// Returns the column at an index.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a collection.
  package func valueColumn(at index: Int) throws -> ColumnSchema {
    guard index < columns.count else {
      throw MagicError(
        .invalidQuery,
        "A collection is not a value: use a predicate on its members, or their count.",
        type: typeName)
    }
    return columns[index]
  }

  /// Returns the stored relationship of a to-one relationship, a collection or an inverse
  /// relationship, which is stored as another one in the other direction.
  ///
  /// - Parameter isReversed: whether the rows are the members, and their owners are looked for.
  /// - Throws: `MagicError` with `.invalidQuery`.
  package func storedRelationship(
    at index: Int, isReversed: Bool
  ) throws -> (owner: ObjectSchema, relationship: PropertySchema, isReversed: Bool) {
    let collection = index - columns.count
    let reverse = collection - collections.count
    guard reverse < 0 else {
      guard reverse < reverses.count else { throw MagicError.malformedQuery }
      let (owner, other) = try reverses[reverse].relationship.resolved()
      return (owner, other, !isReversed)
    }
    return (self, collection < 0 ? columns[index] : collections[collection], isReversed)
  }
}
