package import MagicStorage

/// The type whose objects are the join rows of a relationship, and the properties of it that the
/// relationship uses.
package struct JoinType: Sendable {
  /// The schema of the type.
  let type: _TypeLayout
  /// The column of the to-one that refers to the owner.
  package let owner: Int
  /// The column of the to-one that refers to the member.
  package let target: Int
  /// The column that orders the members; nil for the order of the row IDs.
  package let order: Int?

  package init(_ type: _TypeLayout, owner: Int, target: Int, order: Int?) {
    self.type = type
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
