import DatabaseTransfer
import MagicSchema

/// A type that is imported: the objects of one entity.
struct ImportedType {
  let entity: CoreDataModel.Entity
  /// The name of the Swift type.
  var name: String
  var table: String
  /// The number of the last migration step that the type declares. Its steps are for tables of earlier
  /// versions of the type, and do not run on imported rows.
  var version: Int64 = 0
  var properties: [ImportedProperty] = []
}

/// A property of an imported type.
struct ImportedProperty {
  /// A relationship to the objects of one entity. A relationship to an entity from which others inherit
  /// has a link for each of them.
  struct Link {
    /// The entity that declares the relationship.
    let owner: CoreDataModel.Entity
    let relationship: CoreDataModel.Relationship
    /// The entity of the objects.
    let target: CoreDataModel.Entity
    /// The relationship between the objects of the two entities, without regard to its direction: a
    /// link and its inverse have the same one.
    let identity: String
  }

  enum Content {
    case attribute(owner: CoreDataModel.Entity, CoreDataModel.Attribute, ForeignForm)
    /// A key that the store does not have.
    case newKey(ForeignForm)
    case toOne(Link, MagicDeleteRule)
    case toMany(Link, LinkKind, MagicDeleteRule, isOwned: Bool)
    /// The inverse of a property of the type that has the objects of an entity. It is not stored.
    case inverse(Link, property: String)
  }

  /// The name in Swift.
  var name: String
  /// The name of the column or of the collection.
  var column: String
  var content: Content
  var isOptional = false
  var isPrimary = false
  var isUnique = false

  init(_ name: String, _ content: Content) {
    (self.name, column, self.content) = (name, name, content)
  }

  var link: Link? {
    switch content {
    case .toOne(let link, _), .toMany(let link, _, _, _), .inverse(let link, _): link
    case .attribute, .newKey: nil
    }
  }

  var isInverse: Bool { if case .inverse = content { true } else { false } }
}

/// What a plan says of a part of the store: what is not imported, or why the import is refused.
package struct ImportNote: Sendable, Equatable {
  package let entity: String
  /// The property; nil for the entity.
  package let property: String?
  /// A sentence without its full stop.
  package let reason: String
  /// The number of rows that the note concerns; nil if it does not depend on rows.
  package let rows: Int?

  init(_ entity: String, _ reason: String, rows: Int? = nil) {
    self.init(entity, nil, reason, rows: rows)
  }

  init(_ entity: String, _ property: String?, _ reason: String, rows: Int? = nil) {
    (self.entity, self.property, self.reason, self.rows) = (entity, property, reason, rows)
  }
}
