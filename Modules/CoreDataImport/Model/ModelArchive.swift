/// Reads the model that a store contains: a keyed archive of an `NSManagedObjectModel`, which
/// `Z_MODELCACHE` has as DEFLATE data. A file with the extension `mom` is the archive itself.
struct ModelArchive {
  private let archive: KeyedArchive

  /// The largest archive, in bytes.
  static let largestArchive = 64 << 20

  /// Reads the content of `Z_MODELCACHE`.
  static func model(compressed bytes: [UInt8]) throws -> CoreDataModel {
    do {
      return try model(Inflate.decompressed(bytes, limit: largestArchive))
    } catch let fault as Inflate.Fault {
      switch fault {
      case .truncated: throw ModelFault("the compressed archive is incomplete")
      case .invalid: throw ModelFault("the archive is not compressed as expected")
      case .tooLarge: throw ModelFault("the archive is larger than 64 MiB")
      }
    }
  }

  /// Reads an archive.
  static func model(_ bytes: [UInt8]) throws -> CoreDataModel {
    do {
      return try ModelArchive(archive: KeyedArchive(bytes)).model()
    } catch let fault as KeyedArchive.Fault {
      throw ModelFault(fault.reason)
    }
  }

  private func model() throws -> CoreDataModel {
    let root = try archive.root()
    guard root.className == "NSManagedObjectModel",
      let list = try archive.value("NSEntities", of: root)
    else { throw ModelFault("the archive is not that of a model") }
    var described: [String: (entity: CoreDataModel.Entity, all: Set<String>)] = [:]
    for pair in try archive.pairs(list) {
      guard let instance = try archive.instance(pair.value) else {
        throw ModelFault("an entity has no description")
      }
      let (entity, all) = try entity(instance, named: pair.key)
      // Core Data may list an entity a second time, by another form of its name.
      described[entity.name] = (entity, all)
    }
    return try CoreDataModel(
      described.values.map { entry in
        let parent = entry.entity.parent.flatMap { described[$0] }
        return withoutInherited(entry.entity, parent?.all ?? [])
      })
  }

  /// An entity lists the properties that it inherits, too.
  private func withoutInherited(
    _ entity: CoreDataModel.Entity, _ inherited: Set<String>
  ) -> CoreDataModel.Entity {
    var entity = entity
    entity.attributes.removeAll { inherited.contains($0.name) }
    entity.relationships.removeAll { inherited.contains($0.name) }
    entity.otherProperties.removeAll { inherited.contains($0) }
    return entity
  }

  private func entity(
    _ instance: KeyedArchive.Instance, named key: String
  ) throws -> (CoreDataModel.Entity, Set<String>) {
    var entity = CoreDataModel.Entity(name: try archive.string("NSEntityName", of: instance) ?? key)
    entity.isAbstract = try archive.bool("NSIsAbstract", of: instance)
    if let parent = try archive.instance("NSSuperentity", of: instance) {
      entity.parent = try archive.string("NSEntityName", of: parent)
    }
    var names: Set<String> = []
    if let properties = try archive.value("NSProperties", of: instance) {
      for pair in try archive.pairs(properties).sorted(by: { $0.key < $1.key }) {
        names.insert(pair.key)
        try add(pair.value, named: pair.key, to: &entity)
      }
    }
    if let keys = try archive.value("NSUniqueTuples", of: instance) {
      entity.uniqueKeys = try archive.elements(keys).map { key in
        try archive.elements(key).compactMap(propertyName)
      }.filter { !$0.isEmpty }
    }
    return (entity, names)
  }

  /// A unique key contains names or descriptions of properties.
  private func propertyName(_ value: KeyedArchive.Value) throws -> String? {
    if let name = try archive.string(value) { return name }
    return try archive.instance(value).flatMap { try archive.string("NSPropertyName", of: $0) }
  }

  private func add(
    _ value: KeyedArchive.Value, named name: String, to entity: inout CoreDataModel.Entity
  ) throws {
    guard var instance = try archive.instance(value) else {
      throw ModelFault("the property \(entity.name).\(name) has no description")
    }
    if instance.className == "_NSPropertyDescriptionProxy",
      let property = try archive.instance("NSUnderlyingProperty", of: instance)
    {
      instance = property
    }
    switch instance.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription":
      entity.attributes.append(try attribute(instance, named: name))
    case "NSRelationshipDescription":
      entity.relationships.append(try relationship(instance, named: name, of: entity))
    default: entity.otherProperties.append(name)
    }
  }

  private func attribute(
    _ instance: KeyedArchive.Instance, named name: String
  ) throws -> CoreDataModel.Attribute {
    let number = try archive.integer("NSAttributeType", of: instance) ?? 0
    var attribute = CoreDataModel.Attribute(
      name: name, kind: Int(exactly: number).flatMap { .init(rawValue: $0) } ?? .undefined)
    attribute.isOptional = try archive.bool("NSIsOptional", of: instance)
    attribute.isTransient = try archive.bool("NSIsTransient", of: instance)
    let flags = try archive.integer("NSFlagsKey", of: instance) ?? 0
    attribute.isExternal = flags & Self.externalStorageFlag != 0
    attribute.isPrimary = try primaryKey(in: instance)
    attribute.defaultValue = try defaultValue(of: instance)
    return attribute
  }

  private static let externalStorageFlag: Int64 = 4

  private func primaryKey(in instance: KeyedArchive.Instance) throws -> Bool {
    guard let info = try archive.value("NSUserInfo", of: instance) else { return false }
    return try archive.pairs(info).contains { pair in
      guard pair.key == ModelDocument.primaryKey else { return false }
      return try archive.string(pair.value) != "false"
    }
  }

  private func defaultValue(
    of instance: KeyedArchive.Instance
  ) throws -> CoreDataModel.Attribute.Default? {
    guard let value = try archive.value("NSDefaultValue", of: instance) else { return nil }
    if let text = try archive.string(value) { return .text(text) }
    switch try archive.resolved(value) {
    case .integer(let integer): return .integer(integer)
    case .bool(let bool): return .integer(bool ? 1 : 0)
    case .real(let real): return .real(real)
    default: break
    }
    guard let object = try archive.instance(value), object.className == "NSDate" else { return nil }
    return try archive.real("NS.time", of: object).map { .real($0) }
  }

  private func relationship(
    _ instance: KeyedArchive.Instance, named name: String, of entity: CoreDataModel.Entity
  ) throws -> CoreDataModel.Relationship {
    var destination = try archive.string("_NSDestinationEntityName", of: instance)
    if destination == nil, let target = try archive.instance("NSDestinationEntity", of: instance) {
      destination = try archive.string("NSEntityName", of: target)
    }
    guard let destination else {
      throw ModelFault("the relationship \(entity.name).\(name) has no destination")
    }
    var relationship = CoreDataModel.Relationship(name: name, destination: destination)
    relationship.inverse = try archive.string("_NSInverseRelationshipName", of: instance)
    if relationship.inverse == nil,
      let inverse = try archive.instance("NSInverseRelationship", of: instance)
    {
      relationship.inverse = try archive.string("NSPropertyName", of: inverse)
    }
    relationship.isToMany = try archive.integer("NSMaxCount", of: instance) ?? 0 != 1
    relationship.isOrdered = try archive.bool("NSIsOrdered", of: instance)
    relationship.isOptional = try archive.bool("NSIsOptional", of: instance)
    relationship.isTransient = try archive.bool("NSIsTransient", of: instance)
    let rule = try archive.integer("NSDeleteRule", of: instance) ?? 1
    relationship.deleteRule = Int(exactly: rule).flatMap { .init(rawValue: $0) } ?? .nullify
    return relationship
  }
}
