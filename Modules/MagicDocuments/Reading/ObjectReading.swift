import MagicExchange
import MagicSchema

/// The keys of a type's objects in documents, and how their values are read. This needs casts, which would be
/// slow for each value.
final class ReadLayout {
  let schema: ObjectSchema
  let properties: [Property]
  /// The index of the primary property; nil if there is none.
  let primary: Int?
  private let keys: DocumentLayout

  /// A class, because a copy of a struct would retain each of its members.
  final class Property {
    let schema: PropertySchema
    /// The index of the column or collection.
    let slot: Int
    let key: String
    let readable: (any ReadProperty)?
    let form: ReadForm
    let isDate: Bool

    fileprivate init(_ property: DocumentLayout.Property) {
      (schema, slot, key) = (property.schema, property.slot, property.schema.documentKey)
      readable = schema as? any ReadProperty
      form = readable?.readForm ?? .objects
      isDate = (schema as? ColumnSchema)?.codec == .date
    }
  }

  /// - Throws: `MagicError` with `.invalidSchema`.
  init(_ schema: ObjectSchema) throws {
    self.schema = schema
    keys = try DocumentLayout(schema)
    let properties = keys.properties.map(Property.init)
    self.properties = properties
    primary = schema.primary.flatMap { primary in properties.firstIndex { $0.slot == primary } }
  }

  /// Returns the properties of an object, in the order of the layout.
  func targets(of object: some MagicObject) -> [PropertyReference] {
    schema.withReference(to: object) { object in properties.map { object.property($0.slot) } }
  }

  /// Returns the index of the property with a key.
  ///
  /// - Parameter expected: the index that the key probably has.
  func property(_ key: some Collection<UInt8>, _ expected: Int) -> Int? {
    keys.property(key, expected)
  }
}

/// The state of reading one object.
struct ObjectReading {
  let layout: ReadLayout
  /// The index of the object in the document; nil before its first property.
  private(set) var entry: Int?
  /// The properties of the object, in the order of the layout; empty before its first property.
  private(set) var targets: [PropertyReference] = []
  /// The properties whose keys were read.
  var seen: [Bool]
  /// The property that the next key probably has.
  var expected = 0
  private(set) var reference: [UInt8]?
  private(set) var label: [UInt8]?
  private(set) var others: [UInt8]?
  /// The number of keys that begin with `$`.
  private(set) var markCount = 0
  private var hasType = false

  init(layout: ReadLayout) {
    self.layout = layout
    seen = Array(repeating: false, count: layout.properties.count)
  }

  /// Creates the object.
  ///
  /// - Parameter entry: its index in the document.
  mutating func begin(as entry: Int) -> any MagicObject {
    let object = layout.schema.type.init()
    self.entry = entry
    targets = layout.targets(of: object)
    return object
  }

  /// Reads a member that is not a property.
  mutating func addMark(
    _ name: [UInt8], _ value: UnsafeRawBufferPointer, at place: ReadPlace
  ) throws {
    let text = String(decoding: name, as: UTF8.self)
    let path = place.path.key(text)
    let isRepeated: Bool
    switch text {
    case "$ref": (isRepeated, reference) = (reference != nil, Array(value))
    case "$id": (isRepeated, label) = (label != nil, Array(value))
    case "$type":
      (isRepeated, hasType) = (hasType, true)
      guard
        JSONText.quoted(value).flatMap(JSONText.string) == layout.schema.tableName
      else { throw path.error(.wrongType, "it is not the name of the table", layout.schema) }
    case "$objects" where place.isDocument:
      (isRepeated, others) = (others != nil, Array(value))
    default: throw path.error(.unknownKey, "the key has no meaning here", layout.schema)
    }
    guard !isRepeated else { throw path.error(.duplicateKey, "a key occurs twice", layout.schema) }
    markCount += 1
  }
}
