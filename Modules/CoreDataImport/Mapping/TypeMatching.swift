import DatabaseTransfer
import MagicSchema
import SQLiteTables

/// Finds the entities and properties of a store for types that exist.
///
/// A type has the name of its entity, or of the mapping of names; a property has that of the derived
/// property, as its name, the name of its column, or a former name. The type determines which side of a
/// relationship is stored, and the form of values.
struct TypeMatching {
  private let derived: [ImportedType]
  private(set) var losses: [ImportNote] = []
  private(set) var refusals: [ImportNote] = []
  /// The links that a type has, as one of their sides.
  private var matched: Set<String> = []
  private var schemas: [ObjectSchema] = []

  init(_ derived: [ImportedType]) { self.derived = derived }

  mutating func types(for schemas: [ObjectSchema]) -> [ImportedType] {
    self.schemas = schemas
    var types: [ImportedType] = []
    var seen: Set<String> = []
    for schema in schemas {
      guard let type = derived.first(where: { Self.isMatch($0, schema) }) else {
        refusals.append(
          ImportNote(schema.typeName, "The store has no entity with the name of the type"))
        continue
      }
      guard seen.insert(type.entity.name).inserted else {
        refusals.append(ImportNote(type.entity.name, "Two types have the name of the entity"))
        continue
      }
      types.append(match(type, schema))
    }
    for type in derived where !seen.contains(type.entity.name) {
      losses.append(ImportNote(type.entity.name, "No type has the objects of the entity"))
    }
    noteLostRelationships(of: types)
    return types
  }

  private static func isMatch(_ type: ImportedType, _ schema: ObjectSchema) -> Bool {
    [schema.typeName, schema.tableName].contains(type.name)
      || schema.formerTableNames.contains(type.name)
  }

  /// Returns the entity of a type among those that are imported; nil if it is not one of them.
  private func entity(of schema: ObjectSchema) -> String? {
    guard schemas.contains(where: { $0 === schema }) else { return nil }
    return derived.first { Self.isMatch($0, schema) }?.entity.name
  }

  private mutating func match(_ type: ImportedType, _ schema: ObjectSchema) -> ImportedType {
    var result = ImportedType(entity: type.entity, name: schema.typeName, table: schema.tableName)
    result.version = Int64(schema.migrations.version)
    var rest = type.properties
    for column in schema.columns where !column.isRowID {
      let index = rest.firstIndex { Self.isMatch($0, column) }
      if let index {
        let property = rest.remove(at: index)
        if let matched = matched(property, column, type.entity.name) {
          result.properties.append(matched)
        }
      } else if column.role == .primary {
        result.properties += newKey(column, type.entity.name)
      }
      // The first use of the type adds all other columns, with their default values.
    }
    for collection in schema.collections where collection.through == nil {
      guard let index = rest.firstIndex(where: { Self.isMatch($0, collection) }) else { continue }
      let property = rest.remove(at: index)
      if let matched = matched(property, collection, type.entity.name) {
        result.properties.append(matched)
      }
    }
    for property in rest {
      guard case .attribute(_, let attribute, _) = property.content else { continue }
      losses.append(
        ImportNote(type.entity.name, attribute.name, "The type has no property for the attribute"))
    }
    return result
  }

  private static func isMatch(_ property: ImportedProperty, _ schema: PropertySchema) -> Bool {
    schema.property == property.name || schema.name == property.name
      || schema.formerNames.contains(property.name)
  }

  // MARK: Columns

  private mutating func matched(
    _ property: ImportedProperty, _ column: ColumnSchema, _ entity: String
  ) -> ImportedProperty? {
    var result = property
    (result.name, result.column) = (column.property, column.name)
    result.isOptional = column.isNullable
    result.isPrimary = column.role == .primary
    result.isUnique = column.isUnique && column.role != .primary
    switch property.content {
    case .attribute(let owner, let attribute, _):
      guard let form = ForeignForm(column), form.accepts(attribute) else {
        return refuse(
          entity, attribute.name,
          "An attribute of the kind \(attribute.kind) cannot become a \(column.valueType)")
      }
      result.content = .attribute(owner: owner, attribute, form)
      return result
    case .toOne(let link, _), .toMany(let link, _, _, _), .inverse(let link, _):
      let name = link.relationship.name
      guard let toOne = column as? ToOneColumn else {
        return refuse(entity, name, "The property is a value, and not a relationship")
      }
      guard !link.relationship.isToMany else {
        return refuse(
          entity, name, "The property is a to-one, and the relationship has many members")
      }
      guard (try? toOne.target).flatMap(self.entity) == link.target.name else {
        return refuse(entity, name, Self.otherTarget)
      }
      matched.insert(link.identity)
      result.content = .toOne(link, toOne.deleteRule)
      return result
    case .newKey: return nil
    }
  }

  private static let otherTarget =
    "The property refers to a type that is not imported, or that has other objects"

  private mutating func refuse(
    _ entity: String, _ property: String, _ reason: String
  ) -> ImportedProperty? {
    refusals.append(ImportNote(entity, property, reason))
    return nil
  }

  private mutating func newKey(_ column: ColumnSchema, _ entity: String) -> [ImportedProperty] {
    let form = ForeignForm(column)
    switch form {
    case .integer(.min ... .max)?, .uuid?, .uuidBytes?, .text?: break
    default:
      refusals.append(
        ImportNote(
          entity, column.property, "The store has no attribute for the primary of the type"))
      return []
    }
    guard let form else { return [] }
    var property = ImportedProperty(column.property, .newKey(form))
    property.column = column.name
    property.isPrimary = true
    return [property]
  }

  // MARK: Collections

  private mutating func matched(
    _ property: ImportedProperty, _ collection: CollectionColumn, _ entity: String
  ) -> ImportedProperty? {
    guard let link = property.link else {
      return refuse(
        entity, property.name, "The property is a collection, and the attribute a value")
    }
    let name = link.relationship.name
    guard link.relationship.isToMany else {
      return refuse(entity, name, "The property is a collection, and the relationship a to-one")
    }
    guard collection.kind != .dictionary else {
      return refuse(entity, name, "The members of the relationship have no keys")
    }
    guard (try? collection.target).flatMap(self.entity) == link.target.name else {
      return refuse(entity, name, Self.otherTarget)
    }
    matched.insert(link.identity)
    if link.relationship.isOrdered, collection.kind == .set {
      losses.append(
        ImportNote(entity, name, "The order of the members is lost, because a set has none"))
    }
    var result = property
    (result.name, result.column) = (collection.property, collection.name)
    result.content = .toMany(
      link, collection.kind, collection.deleteRule, isOwned: collection.isOwned)
    return result
  }

  /// A link is imported if one of its sides is stored. Of a relationship with several links, some may
  /// be lost.
  private mutating func noteLostRelationships(of types: [ImportedType]) {
    for type in derived where types.contains(where: { $0.entity.name == type.entity.name }) {
      let links = type.properties.compactMap(\.link)
      let imported = links.filter { matched.contains($0.identity) }
      var noted: Set<String> = []
      for link in links where !matched.contains(link.identity) {
        let name = link.relationship.name
        guard !refusals.contains(where: { $0.property == name }) else { continue }
        if imported.contains(where: { $0.relationship.name == name }) {
          losses.append(
            ImportNote(
              type.entity.name, name,
              "No type has a property for the references to objects of \(link.target.name)"))
        } else if noted.insert(name).inserted {
          losses.append(
            ImportNote(type.entity.name, name, "No type has a property for the relationship"))
        }
      }
    }
  }
}
