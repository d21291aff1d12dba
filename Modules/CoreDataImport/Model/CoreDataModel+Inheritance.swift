extension CoreDataModel {
  /// The entity and its ancestors, from the root on.
  package func lineage(_ entity: Entity) -> [Entity] {
    var lineage = [entity]
    var current = entity
    while let parent = current.parent.flatMap(self.entity) {
      lineage.append(parent)
      current = parent
    }
    return lineage.reversed()
  }

  /// The ancestor whose table has the rows of an entity.
  package func root(_ entity: Entity) -> Entity { lineage(entity)[0] }

  /// The attributes of an entity and of its ancestors, each with the entity that declares it.
  package func attributes(_ entity: Entity) -> [(owner: Entity, attribute: Attribute)] {
    lineage(entity).flatMap { owner in owner.attributes.map { (owner, $0) } }
  }

  /// The relationships of an entity and of its ancestors, each with the entity that declares it.
  package func relationships(_ entity: Entity) -> [(owner: Entity, relationship: Relationship)] {
    lineage(entity).flatMap { owner in owner.relationships.map { (owner, $0) } }
  }

  /// The entities that have objects, of an entity and of those that inherit from it.
  package func concreteEntities(_ entity: Entity) -> [Entity] {
    entities.filter { candidate in
      !candidate.isAbstract && lineage(candidate).contains { $0.name == entity.name }
    }
  }

  /// Returns the inverse of a relationship, with the entity that declares it; nil if there is none.
  package func inverse(
    of relationship: Relationship
  ) -> (owner: Entity, relationship: Relationship)? {
    guard let name = relationship.inverse, let destination = entity(relationship.destination)
    else { return nil }
    return relationships(destination).first { $0.relationship.name == name }
  }

  /// Checks what the other functions rely on.
  func check() throws {
    var tables: [String: String] = [:]
    for entity in entities {
      if let other = tables.updateValue(entity.name, forKey: entity.name.uppercased()) {
        throw ModelFault("the names of the entities \(other) and \(entity.name) clash")
      }
      try checkLineage(entity)
      var names: Set<String> = []
      let own =
        attributes(entity).map(\.attribute.name) + relationships(entity).map(\.relationship.name)
      for name in own where !names.insert(name.uppercased()).inserted {
        throw ModelFault("the entity \(entity.name) has two properties with the name \(name)")
      }
      for relationship in entity.relationships where self.entity(relationship.destination) == nil {
        throw ModelFault(
          "the relationship \(entity.name).\(relationship.name) refers to the entity "
            + "\(relationship.destination), which does not exist")
      }
    }
  }

  /// The largest number of ancestors: the properties of an entity include those of all of them.
  static let mostAncestors = 100

  private func checkLineage(_ entity: Entity) throws {
    var seen: Set = [entity.name]
    var current = entity
    while let name = current.parent {
      guard let parent = self.entity(name) else {
        throw ModelFault("the parent \(name) of the entity \(current.name) does not exist")
      }
      guard seen.insert(name).inserted else {
        throw ModelFault("the entity \(entity.name) inherits from itself")
      }
      guard seen.count <= Self.mostAncestors + 1 else {
        throw ModelFault(
          "the entity \(entity.name) has more than \(Self.mostAncestors) ancestors")
      }
      current = parent
    }
  }
}
