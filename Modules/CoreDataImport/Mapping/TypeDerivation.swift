import DatabaseTransfer
import MagicSchema

/// Derives the types that have all objects of a model.
///
/// Each entity that has objects becomes a type, with the properties that it inherits. Of a relationship
/// and its inverse, one is stored, and the other one is its inverse. A relationship to an entity from
/// which others inherit becomes a property for each type of the objects.
struct TypeDerivation {
  let model: CoreDataModel
  /// The names of types and properties: of `Entity`, and of `Entity.property`.
  let names: [String: String]
  private(set) var notes: [ImportNote] = []

  init(_ model: CoreDataModel, names: [String: String]) {
    (self.model, self.names) = (model, names)
  }

  mutating func types() -> [ImportedType] {
    let entities = model.entities.filter { !$0.isAbstract }
    return entities.map { type(of: $0) }
  }

  func typeName(_ entity: CoreDataModel.Entity) -> String { names[entity.name] ?? entity.name }

  private mutating func type(of entity: CoreDataModel.Entity) -> ImportedType {
    let name = typeName(entity)
    var type = ImportedType(entity: entity, name: name, table: name)
    for (owner, attribute) in model.attributes(entity) where !attribute.isTransient {
      guard let form = ForeignForm(attribute) else {
        notes.append(
          ImportNote(
            entity.name, attribute.name, "Attributes of this kind cannot be imported"))
        continue
      }
      type.properties.append(property(attribute, owner, form, of: entity))
      if attribute.kind == .transformable {
        notes.append(
          ImportNote(
            entity.name, attribute.name,
            "The transformable values are imported as the data that is stored"))
      }
    }
    let other = model.lineage(entity).flatMap(\.otherProperties)
    for name in other {
      notes.append(
        ImportNote(entity.name, name, "The property is neither an attribute nor a relationship"))
    }
    for (owner, relationship) in model.relationships(entity) where !relationship.isTransient {
      type.properties += links(relationship, owner, of: entity)
    }
    return type
  }

  // MARK: Attributes

  private func property(
    _ attribute: CoreDataModel.Attribute, _ owner: CoreDataModel.Entity, _ form: ForeignForm,
    of entity: CoreDataModel.Entity
  ) -> ImportedProperty {
    var property = ImportedProperty(
      propertyName(attribute.name, entity, owner), .attribute(owner: owner, attribute, form))
    property.isOptional = attribute.isOptional
    let isUnique = model.lineage(entity).contains { $0.uniqueKeys.contains([attribute.name]) }
    switch form {
    case .integer(.min ... .max), .text, .uuid:
      property.isPrimary =
        !attribute.isOptional && (attribute.isPrimary || isUnique) && isFirstKey(attribute, entity)
    default: break
    }
    property.isUnique = isUnique && !property.isPrimary
    return property
  }

  /// Whether no other attribute has more reason to be the primary.
  private func isFirstKey(
    _ attribute: CoreDataModel.Attribute, _ entity: CoreDataModel.Entity
  ) -> Bool {
    let attributes = model.attributes(entity).map(\.attribute)
    if let primary = attributes.first(where: \.isPrimary) { return primary.name == attribute.name }
    let keys = model.lineage(entity).flatMap(\.uniqueKeys)
    return attributes.first { !$0.isOptional && keys.contains([$0.name]) }?.name == attribute.name
  }

  private func propertyName(
    _ name: String, _ entity: CoreDataModel.Entity, _ owner: CoreDataModel.Entity
  ) -> String {
    names["\(entity.name).\(name)"] ?? names["\(owner.name).\(name)"] ?? name
  }

  // MARK: Relationships

  private mutating func links(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    of entity: CoreDataModel.Entity
  ) -> [ImportedProperty] {
    guard let destination = model.entity(relationship.destination) else { return [] }
    let inverse = model.inverse(of: relationship)
    let targets = model.concreteEntities(destination)
    if targets.count > 1, relationship.isOrdered {
      notes.append(
        ImportNote(
          entity.name, relationship.name,
          "The members become a list for each of their types, so that the order between members of "
            + "different types is lost"))
    }
    noteRules(relationship, owner, inverse, of: entity)
    return targets.map { target in
      let link = ImportedProperty.Link(
        owner: owner, relationship: relationship, target: target,
        identity: identity(of: (entity, relationship, owner), to: target, inverse))
      let name = linkName(relationship, owner, entity, target, targets)
      guard let inverse, !stores(relationship, owner, inverse) else {
        return stored(link, name, inverse?.relationship, isOnly: targets.count == 1)
      }
      let back = linkName(
        inverse.relationship, inverse.owner, target, entity, model.concreteEntities(owner))
      return ImportedProperty(name, .inverse(link, property: back))
    }
  }

  private func identity(
    of link: (
      entity: CoreDataModel.Entity, relationship: CoreDataModel.Relationship,
      owner: CoreDataModel.Entity
    ), to target: CoreDataModel.Entity,
    _ inverse: (owner: CoreDataModel.Entity, relationship: CoreDataModel.Relationship)?
  ) -> String {
    let ends = [
      "\(link.owner.name).\(link.relationship.name) of \(link.entity.name)",
      (inverse.map { "\($0.owner.name).\($0.relationship.name)" } ?? "") + " of \(target.name)",
    ]
    return ends.sorted().joined(separator: " ")
  }

  /// The name of the property for the objects of one of the types.
  private func linkName(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    _ entity: CoreDataModel.Entity, _ target: CoreDataModel.Entity,
    _ targets: [CoreDataModel.Entity]
  ) -> String {
    let name = propertyName(relationship.name, entity, owner)
    let isOnly = targets.count == 1 || target.name == relationship.destination
    return isOnly
      ? name : name + typeName(target).prefix(1).uppercased() + typeName(target).dropFirst()
  }

  private func stored(
    _ link: ImportedProperty.Link, _ name: String, _ inverse: CoreDataModel.Relationship?,
    isOnly: Bool
  ) -> ImportedProperty {
    let relationship = link.relationship
    guard relationship.isToMany else {
      let isOptional = relationship.isOptional || !isOnly
      let rule: MagicDeleteRule =
        switch inverse?.deleteRule {
        case .cascade: .cascade
        case .deny: .deny
        case .nullify, .noAction, nil: isOptional ? .nullify : .deny
        }
      var property = ImportedProperty(name, .toOne(link, rule))
      property.isOptional = isOptional
      return property
    }
    let rule: MagicDeleteRule = relationship.deleteRule == .cascade ? .cascade : .nullify
    return ImportedProperty(
      name, .toMany(link, relationship.isOrdered ? .list : .set, rule, isOwned: false))
  }

  /// Whether a relationship is stored, and its inverse is not. Both are stored if both are ordered.
  private func stores(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    _ inverse: (owner: CoreDataModel.Entity, relationship: CoreDataModel.Relationship)
  ) -> Bool {
    let other = inverse.relationship
    if relationship.isToMany || other.isToMany {
      if relationship.isOrdered != other.isOrdered { return relationship.isOrdered }
      if relationship.isOrdered { return true }
      if relationship.isToMany != other.isToMany { return !relationship.isToMany }
    } else if relationship.isOptional != other.isOptional {
      return !relationship.isOptional
    }
    return (owner.name, relationship.name) <= (inverse.owner.name, other.name)
  }

  /// Notes the delete rules that the types do not have.
  private mutating func noteRules(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    _ inverse: (owner: CoreDataModel.Entity, relationship: CoreDataModel.Relationship)?,
    of entity: CoreDataModel.Entity
  ) {
    guard relationship.deleteRule == .cascade || relationship.deleteRule == .deny else { return }
    let isStored = inverse.map { stores(relationship, owner, $0) } ?? true
    let isInverseStored = inverse.map { stores($0.relationship, $0.owner, (owner, relationship)) }
    // A rule is that of the to-one of the other side, or that of the collection.
    let isKept =
      isInverseStored == true && inverse?.relationship.isToMany == false
      || isStored && relationship.isToMany && relationship.deleteRule == .cascade
    guard !isKept else { return }
    notes.append(
      ImportNote(
        entity.name, relationship.name,
        "The delete rule \(relationship.deleteRule) has no equal in MagicData"))
  }
}
