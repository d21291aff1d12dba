/// A model of Core Data: the entities of a store, with their attributes and relationships.
package struct CoreDataModel: Sendable {
  package struct Entity: Sendable {
    package let name: String
    /// The entity from which this one inherits its properties; nil for most entities.
    package var parent: String?
    /// Whether only the entities that inherit from it have objects.
    package var isAbstract = false
    /// The attributes that the entity itself declares.
    package var attributes: [Attribute] = []
    /// The relationships that the entity itself declares.
    package var relationships: [Relationship] = []
    /// The names of properties that have no values, such as fetched properties, and of those whose
    /// kind is unknown.
    package var otherProperties: [String] = []
    /// The attributes whose values together are unique.
    package var uniqueKeys: [[String]] = []

    package init(name: String) { self.name = name }
  }

  package struct Attribute: Sendable {
    /// The type of the values. The raw values are those of `NSAttributeType`.
    package enum Kind: Int, Sendable {
      case undefined = 0
      case integer16 = 100
      case integer32 = 200
      case integer64 = 300
      case decimal = 400
      case double = 500
      case float = 600
      case string = 700
      case boolean = 800
      case date = 900
      case binary = 1000
      case uuid = 1100
      case uri = 1200
      case transformable = 1800
      case objectID = 2000
      case composite = 2100
    }

    package enum Default: Sendable, Equatable {
      case integer(Int64)
      case real(Double)
      case text(String)
    }

    package let name: String
    package let kind: Kind
    package var isOptional = false
    /// Whether the attribute has no column.
    package var isTransient = false
    /// Whether large values are in files next to the store.
    package var isExternal = false
    /// The value of new objects; nil if there is none, or if it is no number and no text.
    package var defaultValue: Default?
    /// Whether the user info of the model names the attribute as the primary key.
    package var isPrimary = false

    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
  }

  package struct Relationship: Sendable {
    /// What happens to the destination when an object is deleted. The raw values are those of
    /// `NSDeleteRule`.
    package enum DeleteRule: Int, Sendable {
      case noAction, nullify, cascade, deny
    }

    package let name: String
    package let destination: String
    /// The relationship of the destination that is the inverse; nil if there is none.
    package var inverse: String?
    package var isToMany = false
    package var isOrdered = false
    package var isOptional = false
    package var isTransient = false
    package var deleteRule = DeleteRule.nullify

    package init(name: String, destination: String) {
      (self.name, self.destination) = (name, destination)
    }
  }

  /// The entities, in the order of their names.
  package private(set) var entities: [Entity]
  private let indexes: [String: Int]

  /// - Throws: ``ModelFault`` for a model that no store can have.
  package init(_ entities: [Entity]) throws {
    self.entities = entities.sorted { $0.name < $1.name }
    var indexes: [String: Int] = [:]
    for (index, entity) in self.entities.enumerated() {
      guard indexes.updateValue(index, forKey: entity.name) == nil else {
        throw ModelFault("two entities have the name \(entity.name)")
      }
    }
    self.indexes = indexes
    try check()
  }

  package func entity(_ name: String) -> Entity? { indexes[name].map { entities[$0] } }
}

/// Why a model cannot be used.
package struct ModelFault: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}
