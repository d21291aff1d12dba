import MagicExchange
import MagicSchema

/// The keys of a type's objects in documents.
final class DocumentLayout {
  let schema: ObjectSchema
  /// The properties in the order of their declarations. Inverse relationships are left out.
  let properties: [Property]

  struct Property {
    let schema: PropertySchema
    /// The index of the column or collection.
    let slot: Int
    let key: [UInt8]
    /// The key as JSON, with its quotes and the colon after them.
    let json: [UInt8]
  }

  /// - Throws: `MagicError` with `.invalidSchema` if two properties have one key.
  init(_ schema: ObjectSchema) throws {
    self.schema = schema
    let slots = 0..<schema.columns.count + schema.collections.count
    properties = slots.sorted { schema.offsets[$0] < schema.offsets[$1] }.map { slot in
      let property = schema.stored(at: slot)
      let key = Array(property.documentKey.utf8)
      var json: [UInt8] = []
      key.withUnsafeBytes { JSONScalar.write(text: $0, to: &json) }
      return Property(schema: property, slot: slot, key: key, json: json + ":".utf8)
    }
    var keys: Set<[UInt8]> = []
    for property in properties where !keys.insert(property.key).inserted {
      throw MagicError(
        .invalidSchema, "Two properties have one key in JSON documents. Change named(json:).",
        type: schema.typeName, property: property.schema.property)
    }
  }

  /// Returns the index of the property with a key.
  ///
  /// - Parameter expected: the index that the key probably has.
  func property(_ key: some Collection<UInt8>, _ expected: Int) -> Int? {
    if expected < properties.count, properties[expected].key.elementsEqual(key) { return expected }
    return properties.firstIndex { $0.key.elementsEqual(key) }
  }
}

/// The layouts of the types in one document.
final class DocumentLayouts {
  private var layouts: [Int: DocumentLayout] = [:]

  func layout(of schema: ObjectSchema) throws -> DocumentLayout {
    if let layout = layouts[schema.ordinal] { return layout }
    let layout = try DocumentLayout(schema)
    layouts[schema.ordinal] = layout
    return layout
  }
}
