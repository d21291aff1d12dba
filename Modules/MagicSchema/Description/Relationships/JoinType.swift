/// The type whose objects are the join rows of a relationship, and the properties of it that the
/// relationship uses.
package struct JoinType: Sendable {
  package let schema: ObjectSchema
  /// The column of the to-one that refers to the owner.
  package let owner: Int
  /// The column of the to-one that refers to the member.
  package let target: Int
  /// The column that orders the members; nil for the order of the row IDs.
  package let order: Int?

  package init(_ schema: ObjectSchema, owner: Int, target: Int, order: Int?) {
    self.schema = schema
    self.owner = owner
    self.target = target
    self.order = order
  }
}

/// A relationship whose join rows are the objects of a type.
package protocol ThroughRelationship: AnyObject, Sendable {
  /// Returns the join type. It is found when the type that declares the relationship is first used,
  /// because the join type refers to that type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` if a key path of the relationship does not refer
  ///   to a suitable property.
  func resolved() throws -> JoinType
}

extension CollectionColumn {
  /// The join type of a relationship through one; nil for other collections.
  package final var joinType: JoinType? { get throws { try through?.resolved() } }

  /// Whether the collection is a list through a join type. Its members are sorted by a property of
  /// the join objects, and then by their row IDs. A row ID takes the place of the position in a list
  /// with a join table.
  package final var isListThrough: Bool { kind == .list && through != nil }
}

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
    for (place, name, type) in wanted {
      guard let toOne = join.schema.columns[place] as? ToOneColumn else { continue }
      let found = try toOne.target
      guard found !== type else { continue }
      throw MagicError(
        .invalidSchema,
        "The \(name) key path of the relationship refers to objects of \(found.typeName). Name a "
          + "relationship of \(join.schema.typeName) to \(type.typeName).",
        type: typeName, property: column.property)
    }
  }

  /// Creates an object of the type, for code that does not depend on the type.
  package func makeNewObject() -> RetainedObjects {
    let type = self.type
    return makeNewObject(type)
  }

  private func makeNewObject<Model: MagicObject>(_ type: Model.Type) -> RetainedObjects {
    RetainedArray<Model>([Model()], schema: self)
  }
}
