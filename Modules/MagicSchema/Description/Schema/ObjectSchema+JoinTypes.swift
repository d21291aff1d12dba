extension ObjectSchema {
  /// The collections that are stored in tables or columns of their own: all except those through a
  /// join type.
  package var storedCollections: [CollectionColumn] { collections.filter { $0.through == nil } }

  /// The join types of the collections.
  var joinTypes: [ObjectSchema] {
    get throws { try collections.compactMap { try $0.joinType?.schema } }
  }

  /// - Throws: `MagicError` with `.invalidSchema` if a to-one of the join type does not refer to
  ///   this type, or to the type of the members.
  func checkJoinType(of column: CollectionColumn) throws {
    guard let join = try column.joinType else { return }
    let wanted = [(join.owner, "first", self), (join.target, "second", try column.target)]
    for (place, name, target) in wanted {
      let schema = join.schema
      guard let toOne = schema.columns[place] as? ToOneColumn, try toOne.target !== target else {
        continue
      }
      let (found, expected) = (try toOne.target.typeName, target.typeName)
      throw MagicError(
        .invalidSchema,
        "The \(name) key path of the relationship refers to objects of \(found). Name a relationship "
          + "of \(schema.typeName) to \(expected).",
        type: typeName, property: column.property)
    }
  }
}
