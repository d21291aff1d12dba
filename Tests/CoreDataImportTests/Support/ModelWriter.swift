@testable import CoreDataImport

/// Writes a model as Core Data archives it: with inherited properties in each entity, conditional
/// references, and the flags of attributes.
struct ModelWriter {
  let entities: [CoreDataModel.Entity]
  /// Whether inherited properties are proxies of the parent's properties, or copies of them.
  var usesProxies = true

  private let writer = ArchiveWriter()

  init(_ entities: [CoreDataModel.Entity], usesProxies: Bool = true) {
    self.entities = entities
    self.usesProxies = usesProxies
  }

  func archive() -> [UInt8] {
    let places = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, writer.reserve()) })
    var own: [String: [(String, ArchiveWriter.Item)]] = [:]
    for entity in entities { own[entity.name] = properties(of: entity, places) }
    func all(_ entity: CoreDataModel.Entity) -> [(String, ArchiveWriter.Item)] {
      guard let parent = entities.first(where: { $0.name == entity.parent }) else {
        return own[entity.name] ?? []
      }
      let inherited = all(parent).map { name, item in
        guard usesProxies else { return (name, item) }
        return (
          name,
          writer.instance(
            "_NSPropertyDescriptionProxy",
            [
              ("NSUnderlyingProperty", item),
              ("NSEntityDescription", .uid(places[entity.name] ?? 0)),
            ])
        )
      }
      return inherited + (own[entity.name] ?? [])
    }
    for entity in entities {
      var members: [(String, ArchiveWriter.Item)] = [
        ("NSEntityName", writer.string(entity.name)),
        ("NSClassNameForEntity", writer.string(entity.name)),
        ("NSSuperentity", .uid(entity.parent.flatMap { places[$0] } ?? 0)),
        ("NSProperties", writer.dictionary(all(entity))),
        ("NSVersionHashModifier", .uid(0)),
      ]
      if entity.isAbstract { members.append(("NSIsAbstract", .bool(true))) }
      if !entity.uniqueKeys.isEmpty {
        let keys = entity.uniqueKeys.map { key in writer.array(key.map { writer.string($0) }) }
        members.append(("NSUniqueTuples", writer.array(keys)))
      }
      writer.set(places[entity.name] ?? 0, "NSEntityDescription", members)
    }
    let root = writer.instance(
      "NSManagedObjectModel",
      [
        (
          "NSEntities",
          writer.dictionary(entities.map { ($0.name, .uid(places[$0.name] ?? 0)) })
        ),
        ("NSVersionIdentifiers", writer.instance("NSSet", [("NS.objects", .array([]))])),
      ])
    return writer.bytes(root: root)
  }

  private func properties(
    of entity: CoreDataModel.Entity, _ places: [String: Int]
  ) -> [(String, ArchiveWriter.Item)] {
    let attributes = entity.attributes.map { attribute -> (String, ArchiveWriter.Item) in
      var members = common(attribute.name, attribute.isOptional, attribute.isTransient)
      members.append(("NSAttributeType", .integer(Int64(attribute.kind.rawValue))))
      members.append(("NSFlagsKey", .integer(attribute.isExternal ? 4 : 0)))
      switch attribute.defaultValue {
      case .integer(let integer)? where attribute.kind == .boolean:
        members.append(("NSDefaultValue", writer.add(.bool(integer != 0))))
      case .integer(let integer)?: members.append(("NSDefaultValue", writer.add(.integer(integer))))
      case .real(let real)? where attribute.kind == .date:
        members.append(("NSDefaultValue", writer.instance("NSDate", [("NS.time", .real(real))])))
      case .real(let real)?: members.append(("NSDefaultValue", writer.add(.real(real))))
      case .text(let text)?: members.append(("NSDefaultValue", writer.string(text)))
      case nil: members.append(("NSDefaultValue", .uid(0)))
      }
      if attribute.isPrimary {
        members.append(("NSUserInfo", writer.dictionary([("primaryKey", writer.string("true"))])))
      }
      return (attribute.name, writer.instance("NSAttributeDescription", members))
    }
    let relationships = entity.relationships.map { relationship -> (String, ArchiveWriter.Item) in
      var members = common(relationship.name, relationship.isOptional, relationship.isTransient)
      if relationship.isOrdered { members.append(("NSIsOrdered", .bool(true))) }
      members += [
        ("NSMaxCount", .integer(relationship.isToMany ? 0 : 1)), ("NSMinCount", .integer(0)),
        ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
        ("NSDestinationEntity", .uid(places[relationship.destination] ?? 0)),
        ("_NSDestinationEntityName", writer.string(relationship.destination)),
        ("_NSInverseRelationshipName", writer.string(relationship.inverse)),
      ]
      return (relationship.name, writer.instance("NSRelationshipDescription", members))
    }
    let others = entity.otherProperties.map { name in
      (name, writer.instance("NSFetchedPropertyDescription", common(name, true, false)))
    }
    return attributes + relationships + others
  }

  private func common(
    _ name: String, _ isOptional: Bool, _ isTransient: Bool
  ) -> [(String, ArchiveWriter.Item)] {
    var members: [(String, ArchiveWriter.Item)] = [("NSPropertyName", writer.string(name))]
    if isOptional { members.append(("NSIsOptional", .bool(true))) }
    if isTransient { members.append(("NSIsTransient", .bool(true))) }
    return members
  }
}
