import DatabaseTransfer
import Foundation
import MagicEngine
import MagicExchange
import MagicGraph
import MagicRecords
import MagicRuntime
import MagicSchema
import Magical

/// Creates the objects of a document. The objects are complete after ``link()``.
final class DocumentReader {
  /// An object of the document.
  struct Entry {
    let object: any MagicObject
    let layout: ReadLayout
    let path: DocumentPath
    /// Whether no other object of the document contains it.
    let isRoot: Bool
    /// Its primary value; nil if the document does not contain one.
    var key: ObjectKey?
    /// Its version in the document.
    var version: Int?
    /// Whether the document contains all of its properties.
    var isComplete = false
  }

  /// An object that another one refers to.
  enum Member {
    case entry(Int)
    case reference(Reference)
  }

  /// A reference to an object by its label, primary value or row ID.
  struct Reference {
    let json: [UInt8]
    let path: DocumentPath
  }

  enum Label: Hashable {
    case integer(Int64)
    case text([UInt8])
  }

  private struct LabelKey: Hashable {
    let type: Int
    let label: Label
  }

  let reader: any EngineReader
  private(set) var entries: [Entry] = []
  /// Sets the relationships, when all objects were read.
  private var links: [() throws -> Void] = []
  private var labels: [LabelKey: Int] = [:]
  private var primaries: [ObjectKey: Int] = [:]
  /// The objects of the database that references found.
  private var fetched: [ObjectKey: any MagicObject] = [:]
  private(set) var hasReferences = false
  /// The hash values of the objects that earlier records of an import would save, in a plan of it.
  /// The sixty-four bits of a hash value identify an object well enough for a plan, and need little memory.
  private var planned: Set<Int> = []
  /// The rows of objects of the document that keys refer to, by instance key; nil without a row.
  var targetRows: [UInt: Int64?] = [:]
  /// The places of the entries by the instance keys of their objects. Used when all objects were read.
  private(set) lazy var entryPlaces: [UInt: Int] = Dictionary(
    entries.indices.map {
      (Self.instanceKey(of: entries[$0].object, entries[$0].layout.schema), $0)
    },
    uniquingKeysWith: { first, _ in first })
  private var layouts: [Int: ReadLayout] = [:]
  private var cancellation = CancellationCheck()
  /// The types that can be reached from the type of the document, by the names of their tables.
  var types: [String: ObjectSchema] = [:]

  /// The number of objects that contain each other.
  static let nestingLimit = 64

  /// The form of dates in an imported file; nil for documents. The dates of the records themselves are
  /// converted already.
  private let dates: ReadDates?

  init(_ reader: any EngineReader, dates: ReadDates? = nil) {
    (self.reader, self.dates) = (reader, dates)
  }

  /// Whether the objects are those of a file of another program, in which values can have other forms.
  var isImport: Bool { dates != nil }

  /// Decodes values that are stored as JSON; nil for the form of documents.
  var valueDecoder: JSONDecoder? { dates?.decoder }

  func addLink(_ link: @escaping () throws -> Void) { links.append(link) }

  private func layout(of schema: ObjectSchema) throws -> ReadLayout {
    if let layout = layouts[schema.ordinal] { return layout }
    let layout = try ReadLayout(schema)
    layouts[schema.ordinal] = layout
    return layout
  }

  // MARK: Objects

  /// A member of a record: the index of its property, and its value if that has another form in documents.
  typealias MappedMember = (property: Int, converted: [UInt8]?)

  /// Reads an object, or a reference to one.
  ///
  /// - Parameters:
  ///   - schema: its type.
  ///   - mapping: returns the property of a member of a record, of which the keys are columns; nil for a
  ///     member that is left out.
  func member(
    _ json: UnsafeRawBufferPointer, of schema: ObjectSchema, at place: ReadPlace,
    mapping: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> MappedMember?)? = nil
  ) throws -> Member {
    try cancellation.count()
    guard json.first == UInt8(ascii: "{") else {
      throw place.path.error(.wrongType, "it is not an object", schema)
    }
    guard place.nesting < Self.nestingLimit else {
      throw place.path.error(.tooDeep, "objects contain each other too deep", schema)
    }
    var object = ObjectReading(layout: try layout(of: schema))
    let isComplete = try JSONScanner.forEachMember(of: json) { key, value in
      if let mapping, !JSONText.begins(key, with: "$") {
        guard let mapped = try mapping(key, value) else { return }
        let entry = begin(&object, at: place)
        guard let converted = mapped.converted else {
          return try read(mapped.property, value, of: &object, entry, place)
        }
        return try converted.withUnsafeBytes {
          try read(mapped.property, $0, of: &object, entry, place)
        }
      }
      guard let name = key.hasEscapes ? JSONText.decoded(key) : Array(key) else {
        throw place.path.error(.invalidJSON, "a key is not valid", schema)
      }
      if name.first == UInt8(ascii: "$") {
        try object.addMark(name, value, at: place)
      } else {
        let index = try Self.property(name, of: object, place)
        let entry = begin(&object, at: place)
        try read(index, value, of: &object, entry, place)
      }
    }
    guard isComplete else {
      throw place.path.error(.invalidJSON, "it is not an object of JSON", schema)
    }
    if let json = object.reference {
      guard object.entry == nil, object.markCount == 1 else {
        throw place.path.error(.unknownKey, "a reference has other keys", schema)
      }
      hasReferences = true
      return .reference(Reference(json: json, path: place.path))
    }
    let entry = begin(&object, at: place)
    entries[entry].isComplete = !object.seen.contains(false)
    try register(entry, object)
    if let others = object.others {
      try others.withUnsafeBytes { try readObjects($0, below: schema, place.path.key("$objects")) }
    }
    return .entry(entry)
  }

  /// Creates the object at its first member, because a reference creates no object.
  ///
  /// - Returns: the index of its entry.
  private func begin(_ object: inout ObjectReading, at place: ReadPlace) -> Int {
    if let entry = object.entry { return entry }
    let new = object.begin(as: entries.count)
    entries.append(
      Entry(object: new, layout: object.layout, path: place.path, isRoot: place.nesting == 0))
    return entries.count - 1
  }

  /// Returns the index of the property with a key.
  private static func property(
    _ name: [UInt8], of object: ObjectReading, _ place: ReadPlace
  ) throws -> Int {
    guard let index = object.layout.property(name, object.expected) else {
      let (name, schema) = (String(decoding: name, as: UTF8.self), object.layout.schema)
      let hint = NearestName.hint(for: name, in: schema.properties.map(\.property))
      throw place.path.key(name).error(
        .unknownKey, "the type has no property with this key\(hint)", schema)
    }
    return index
  }

  /// - Parameters:
  ///   - index: the index of the property in the layout.
  ///   - entry: the index of the object's entry.
  private func read(
    _ index: Int, _ json: UnsafeRawBufferPointer, of object: inout ObjectReading, _ entry: Int,
    _ place: ReadPlace
  ) throws {
    let property = object.layout.properties[index]
    let (schema, inner) = (object.layout.schema, place.property(property.key))
    guard !object.seen[index] else {
      throw inner.path.error(.duplicateKey, "a key occurs twice", schema)
    }
    object.seen[index] = true
    object.expected = index + 1
    if property.slot == schema.version {
      guard let version = JSONScalar.integer(json).flatMap(Int.init(exactly:)) else {
        throw inner.path.error(.wrongType, "the value is not an integer of 64 bits", schema)
      }
      entries[entry].version = version
      return
    }
    let target = object.targets[index]
    do {
      if property.schema.isLazy {
        try readLazy(json, into: target, property.schema, at: inner)
      } else if let readable = property.readable {
        if property.isDate, place.nesting > 0, let dates {
          try dates.converted(Array(json)).withUnsafeBytes {
            try readable.read($0, as: property.form, into: target, self, at: inner)
          }
        } else {
          try readable.read(json, as: property.form, into: target, self, at: inner)
        }
      }
    } catch let error as MagicalError {
      throw inner.path.error(.wrongType, "\(error)", schema, property.schema)
    } catch let fault as ConversionFault {
      throw inner.path.error(.wrongType, fault.reason, schema, property.schema)
    }
  }

  /// Makes an object known to references.
  private func register(_ place: Int, _ object: ObjectReading) throws {
    let schema = object.layout.schema
    let path = entries[place].path
    if let json = object.label {
      guard let label = json.withUnsafeBytes(Self.label) else {
        throw path.key("$id").error(.wrongType, "it is neither a text nor an integer", schema)
      }
      guard labels.updateValue(place, forKey: LabelKey(type: schema.ordinal, label: label)) == nil
      else { throw path.error(.duplicateObject, "the document contains the object twice", schema) }
    }
    guard let primary = object.layout.primary, object.seen[primary] else { return }
    let objectKey = try ObjectKey(of: entries[place].object)
    guard case .primary = objectKey.key else { return }
    guard primaries.updateValue(place, forKey: objectKey) == nil else {
      throw path.error(.duplicateObject, "the document contains the object twice", schema)
    }
    entries[place].key = objectKey
  }

  private static func label(_ json: UnsafeRawBufferPointer) -> Label? {
    if case .integer(let integer)? = JSONScalar.value(json, .integer) { return .integer(integer) }
    return JSONText.quoted(json).flatMap(JSONText.decoded).map { .text($0) }
  }

  // MARK: Plans

  /// Whether an earlier record of an import, whose plan this is, would save an object.
  func isPlanned(_ key: ObjectKey) -> Bool {
    !planned.isEmpty && planned.contains(key.hashValue)
  }

  /// Returns the reader of the records after those that were read, in a plan, and releases the objects.
  func successor() -> DocumentReader {
    let next = DocumentReader(reader, dates: dates)
    swap(&next.planned, &planned)
    for entry in entries {
      if let key = entry.key { next.planned.insert(key.hashValue) }
    }
    release()
    return next
  }

  // MARK: References

  /// Sets the relationships of the objects.
  func link() throws {
    try link { throw $0 }
  }

  /// Sets the relationships of the objects, and passes on each error.
  func link(_ report: (MagicError) throws -> Void) throws {
    for link in links {
      do {
        try link()
      } catch let error as MagicError {
        try report(error)
      }
    }
    links.removeAll()
  }

  /// Returns the object of a member.
  func resolve<Model: MagicObject>(_ member: Member, as type: Model.Type) throws -> Model {
    let schema = try ObjectSchema.of(Model.self)
    switch member {
    case .entry(let entry):
      guard let object = entries[entry].object as? Model else {
        throw entries[entry].path.error(.wrongType, "it is an object of another type", schema)
      }
      return object
    case .reference(let reference):
      try cancellation.count()
      let label = reference.json.withUnsafeBytes(Self.label)
      if let entry = label.flatMap({ labels[LabelKey(type: schema.ordinal, label: $0)] }) {
        return try resolve(.entry(entry), as: type)
      }
      guard let key = try key(label, reference, schema) else {
        throw reference.path.error(.wrongType, "the reference is not a primary value", schema)
      }
      let objectKey = ObjectKey(type: schema.ordinal, key: key)
      if let entry = primaries[objectKey] { return try resolve(.entry(entry), as: type) }
      if let object = fetched[objectKey] as? Model { return object }
      if isPlanned(objectKey) {
        // A plan does not save it. Only its presence matters.
        let object = Model()
        fetched[objectKey] = object
        return object
      }
      guard let object = try stored(key, as: type) else {
        throw reference.path.error(
          .unknownReference, "neither the document nor the database has the object", schema)
      }
      fetched[objectKey] = object
      return object
    }
  }
}
