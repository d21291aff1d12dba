import MagicSchema

/// What the values of a property are in a document in the form of flatted.
enum FlattedForm {
  /// Values that are no objects of the database. Objects inside of them are JSON.
  case value
  /// The primary value of an object, which is the member of the object with the key.
  case primary(key: String)
  /// Objects of a type, alone or in arrays.
  case objects(ObjectSchema)
  /// Objects of a type with keys.
  case dictionary(ObjectSchema)
  /// Values that the import leaves out, or for which there is no property.
  case none

  /// - Throws: `MagicError` with `.invalidSchema`.
  init(_ property: PropertySchema) throws {
    switch property {
    case let toOne as ToOneColumn: self = .objects(try toOne.target)
    case let collection as CollectionColumn:
      self =
        collection.kind == .dictionary
        ? .dictionary(try collection.target) : .objects(try collection.target)
    default: self = .value
    }
  }
}

/// The forms of the properties of types, by their keys in documents.
final class FlattedForms {
  private var forms: [Int: [String: FlattedForm]] = [:]

  func form(of key: String, in schema: ObjectSchema) throws -> FlattedForm {
    if let known = forms[schema.ordinal] { return known[key] ?? .none }
    let layout = try DocumentLayout(schema)
    let found = try Dictionary(
      layout.properties.map { ($0.schema.documentKey, try FlattedForm($0.schema)) },
      uniquingKeysWith: { first, _ in first })
    forms[schema.ordinal] = found
    return found[key] ?? .none
  }
}
