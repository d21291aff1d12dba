import Foundation

/// Reads a model as Xcode stores it: the XML in a folder with the extension `xcdatamodel`.
struct ModelDocument {
  /// The key in the user info of an attribute that names it as the primary key.
  static let primaryKey = "primaryKey"

  private var entities: [CoreDataModel.Entity] = []
  private var entity: CoreDataModel.Entity?
  private var attribute: CoreDataModel.Attribute?
  private var uniqueKey: [String]?

  static func model(_ bytes: [UInt8]) throws -> CoreDataModel {
    var document = ModelDocument()
    var reader = XMLReader(bytes)
    do {
      // The closures cannot both change the document.
      var events: [(XMLReader.Element?, String)] = []
      try reader.forEach(
        begin: { element, depth in
          guard depth > 0 || element.name == "model" else {
            throw ModelFault("its first element is not a model")
          }
          events.append((element, element.name))
        }, end: { name, _ in events.append((nil, name)) })
      for (element, name) in events {
        if let element { try document.begin(element) } else { document.end(name) }
      }
    } catch let fault as XMLReader.Fault {
      throw ModelFault("\(fault.reason), in line \(fault.line)")
    }
    return try CoreDataModel(document.entities)
  }

  private mutating func begin(_ element: XMLReader.Element) throws {
    let attributes = element.attributes
    switch element.name {
    case "entity":
      var entity = CoreDataModel.Entity(name: try name(of: element))
      entity.parent = attributes["parentEntity"]
      entity.isAbstract = attributes["isAbstract"] == "YES"
      self.entity = entity
    case "attribute" where entity != nil: attribute = try attribute(element)
    case "relationship" where entity != nil:
      let relationship = try relationship(element)
      entity?.relationships.append(relationship)
    case "fetchedProperty", "composite":
      let name = try name(of: element)
      entity?.otherProperties.append(name)
    case "entry" where attributes["key"] == Self.primaryKey:
      if attributes["value"] != "false" { attribute?.isPrimary = true }
    case "uniquenessConstraint": uniqueKey = []
    case "constraint": if let value = attributes["value"] { uniqueKey?.append(value) }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "entity":
      if let entity { entities.append(entity) }
      entity = nil
    case "attribute":
      if let attribute { entity?.attributes.append(attribute) }
      attribute = nil
    case "uniquenessConstraint":
      if let uniqueKey, !uniqueKey.isEmpty { entity?.uniqueKeys.append(uniqueKey) }
      uniqueKey = nil
    default: break
    }
  }

  private func name(of element: XMLReader.Element) throws -> String {
    guard let name = element.attributes["name"], !name.isEmpty else {
      throw ModelFault("an element \(element.name) has no name")
    }
    return name
  }

  private static let kinds: [String: CoreDataModel.Attribute.Kind] = [
    "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
    "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string,
    "Boolean": .boolean, "Date": .date, "Binary": .binary, "UUID": .uuid, "URI": .uri,
    "Transformable": .transformable, "ObjectID": .objectID, "Composite": .composite,
  ]

  private func attribute(_ element: XMLReader.Element) throws -> CoreDataModel.Attribute {
    let attributes = element.attributes
    let kind = attributes["attributeType"].flatMap { Self.kinds[$0] } ?? .undefined
    var attribute = CoreDataModel.Attribute(name: try name(of: element), kind: kind)
    attribute.isOptional = attributes["optional"] == "YES"
    attribute.isTransient = attributes["transient"] == "YES"
    attribute.isExternal = attributes["allowsExternalBinaryDataStorage"] == "YES"
    attribute.defaultValue = Self.defaultValue(attributes, kind)
    return attribute
  }

  private static func defaultValue(
    _ attributes: [String: String], _ kind: CoreDataModel.Attribute.Kind
  ) -> CoreDataModel.Attribute.Default? {
    if kind == .date {
      return attributes["defaultDateTimeInterval"].flatMap(Double.init).map { .real($0) }
    }
    guard let text = attributes["defaultValueString"] else { return nil }
    switch kind {
    case .string: return .text(text)
    case .boolean: return .integer(text == "YES" ? 1 : 0)
    case .integer16, .integer32, .integer64: return Int64(text).map { .integer($0) }
    case .double, .float: return Double(text).map { .real($0) }
    default: return nil
    }
  }

  private static let rules: [String: CoreDataModel.Relationship.DeleteRule] = [
    "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
  ]

  private func relationship(_ element: XMLReader.Element) throws -> CoreDataModel.Relationship {
    let attributes = element.attributes
    let name = try name(of: element)
    guard let destination = attributes["destinationEntity"] else {
      throw ModelFault("the relationship \(entity?.name ?? "").\(name) has no destination")
    }
    var relationship = CoreDataModel.Relationship(name: name, destination: destination)
    relationship.inverse = attributes["inverseName"]
    relationship.isToMany = attributes["toMany"] == "YES"
    relationship.isOrdered = attributes["ordered"] == "YES"
    relationship.isOptional = attributes["optional"] == "YES"
    relationship.isTransient = attributes["transient"] == "YES"
    relationship.deleteRule = attributes["deletionRule"].flatMap { Self.rules[$0] } ?? .nullify
    return relationship
  }
}
