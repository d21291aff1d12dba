import Foundation
import MagicEngine
import MagicGraph
import MagicRuntime
import MagicRecords
import MagicSchema

extension DocumentReader {
  /// Reads the objects of a document.
  ///
  /// - Parameter isArray: whether the document is an array of objects.
  func roots<Model: MagicObject>(
    of document: MagicJSON, as type: Model.Type, isArray: Bool
  ) throws -> [Member] {
    let schema = try ObjectSchema.of(Model.self)
    var roots: [Member] = []
    try document.data.withUnsafeBytes { bytes in
      let root = DocumentPath.root()
      let text = UnsafeRawBufferPointer(rebasing: bytes.drop(while: JSONScanner.isSpace))
      guard isArray else {
        roots.append(try member(text, of: schema, at: ReadPlace(path: root, isDocument: true)))
        return
      }
      let isComplete = try JSONScanner.forEachElement(of: text) {
        let place = ReadPlace(path: root.index(roots.count), isDocument: true)
        roots.append(try member($0, of: schema, at: place))
      }
      guard isComplete else { throw root.error(.invalidJSON, "it is not an array of JSON") }
    }
    return roots
  }

  /// Saves the objects of a document.
  ///
  /// - Returns: the objects of the document's roots, as the database has them.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  func save<Model: MagicObject>(
    _ roots: [Member], as type: Model.Type, in transaction: ObjectTransaction
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(Model.self)
    // An object of the database that a root refers to is not saved.
    try save(in: transaction)
    let objects = try roots.map { try resolve($0, as: Model.self) }
    let rows = try objects.map { object in
      try schema.withReference(to: object) { object in
        guard let row = object.identity(inTransactionOf: transaction.store) else {
          throw MagicError.noObject(schema)
        }
        return row.zIndex.rawValue
      }
    }
    return try reader.objects(of: Model.self, schema, at: rows).map { object in
      guard let object else { throw MagicError.noObject(schema) }
      return object
    }
  }

  /// Saves the objects that were read.
  func save(in transaction: ObjectTransaction) throws {
    try link()
    for entry in entries { try check(entry, entry.object) }
    _ = try transaction.merge(
      entries.filter(\.isRoot).map(\.object),
      SavingRules(
        merges: Set(entries.map { Self.instanceKey(of: $0.object, $0.layout.schema) })), [])
  }

  static func instanceKey(of object: some MagicObject, _ schema: ObjectSchema) -> UInt {
    schema.withReference(to: object) { $0.instanceKey }
  }

  // MARK: Checking

  /// Links and checks the objects without saving them.
  ///
  /// - Parameter report: receives each error, and the place if the error has none.
  func check(_ report: (MagicError, DocumentPath?) throws -> Void) throws {
    try link { try report($0, nil) }
    for entry in entries {
      do {
        try check(entry, entry.object)
      } catch let error as MagicError {
        try report(error, entry.path)
      }
    }
  }

  /// Checks that a new object has all values, and that a stored one has the version of the document.
  private func check<Model: MagicObject>(_ entry: Entry, _ object: Model) throws {
    let schema = entry.layout.schema
    let missing =
      entry.isComplete
      ? nil
      : schema.withReference(to: object) { object in
        entry.layout.properties.first { property in
          property.readable?.isMissing(object.property(property.slot)) ?? false
        }
      }
    // The save checks the values of a new object with a key.
    guard entry.version != nil || missing != nil && schema.key.isEmpty else { return }
    let stored = try storedObject(of: object, entry)
    if let missing, stored == nil, schema.key.isEmpty {
      if let key = entry.key, isPlanned(key) { return }
      throw entry.path.key(missing.schema.documentKey).error(
        .missingKey, "the object is new, and the value is missing", schema, missing.schema)
    }
    guard let stored, let version = entry.version, let column = schema.version else { return }
    try schema.withReference(to: stored) { stored in
      guard let current = stored.property(column).load(Int.self), current != version,
        let identity = stored.identity
      else { return }
      throw MagicError(
        .conflict,
        "The object at \(entry.path.text) of the document has version \(version), and the database "
          + "has version \(current). Fetch it again, or leave its version out to overwrite it.",
        type: schema.typeName, property: schema.columns[column].property,
        conflict: MagicConflict(
          zIndex: identity.zIndex, version: version, storedVersion: current))
    }
  }

  /// Fetches the object of the database that an object of the document updates: the one with its key,
  /// or else the one with its primary value. Nil if there is none.
  private func storedObject<Model: MagicObject>(
    of object: Model, _ entry: Entry
  ) throws -> Model? {
    let schema = entry.layout.schema
    if let key = try keyValues(of: object, schema),
      let found = try reader.object(of: Model.self, schema, key: key)
    {
      return found
    }
    return try entry.key.flatMap { try stored($0.key, as: Model.self) }
  }

  /// Returns the values of an object's key; nil if the type has none, or if no row can have them.
  private func keyValues(
    of object: some MagicObject, _ schema: ObjectSchema
  ) throws -> [QueryValue]? {
    guard !schema.key.isEmpty else { return nil }
    return try schema.withReference(to: object) { object in
      var values: [QueryValue] = []
      for column in schema.key {
        guard
          let value = try (schema.columns[column] as? any ReadProperty)?
            .keyValue(of: object.property(column), self)
        else { return nil }
        values.append(value)
      }
      return values
    }
  }

  /// Returns the row ID of an object that a key refers to; nil if it has no row.
  func rowID<Model: MagicObject>(ofTarget target: Model) throws -> Int64? {
    let schema = try ObjectSchema.of(Model.self)
    let (key, identity) = schema.withReference(to: target) { ($0.instanceKey, $0.identity) }
    if let identity { return identity.zIndex.rawValue }
    if let row = targetRows[key] { return row }
    // An object whose key refers to itself, through others too, has no row.
    targetRows[key] = .some(nil)
    guard let place = entryPlaces[key],
      let stored = try storedObject(of: target, entries[place])
    else { return nil }
    let row = schema.withReference(to: stored) { $0.identity?.zIndex.rawValue }
    targetRows[key] = row
    return row
  }

  // MARK: Releasing

  /// Releases the objects, which may refer to each other in circles.
  func release() {
    guard hasReferences else { return }
    for entry in entries { Self.release(entry.object, entry.layout) }
  }

  private static func release(_ object: some MagicObject, _ layout: ReadLayout) {
    layout.schema.withReference(to: object) { object in
      for property in layout.properties where !property.schema.isLazy {
        property.readable?.releaseObjects(object.property(property.slot))
      }
    }
  }
}

/// The readers of one call, which runs again after some errors.
final class DocumentReaders: Locked, @unchecked Sendable {
  private var readers: [DocumentReader] = []

  func add(_ reader: DocumentReader) { withLock { readers.append(reader) } }

  /// Releases the objects of all documents that were read.
  func release() {
    let all = withLock {
      defer { readers = [] }
      return readers
    }
    for reader in all { reader.release() }
  }
}
