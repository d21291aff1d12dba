import DatabaseTransfer
import Foundation
import MagicEngine
import MagicExchange
import MagicRecords
import MagicSchema
import Magical

/// Writes objects as a document. The objects must live as long as the writer.
final class DocumentWriter {
  /// The place of an object.
  struct Place {
    /// The number of relationships from the object of the call.
    var level = 0
    /// The number of objects of the document that contain the object.
    var nesting = 0

    var next: Place { Place(level: level + 1, nesting: nesting + 1) }
  }

  let reader: any EngineReader
  let depth: MagicJSON.Depth
  var bytes: [UInt8] = []
  private let layouts = DocumentLayouts()
  /// The levels of the objects, if the depth is limited.
  private let levels: DocumentLevels?
  private var written: Set<ObjectKey> = []
  /// The objects that are written at the end, because they would be nested too deep.
  private var pending: [() throws -> Void] = []
  /// The labels of objects that have neither a primary value nor a row.
  private var labels: [ObjectKey: Int] = [:]
  private var cancellation = CancellationCheck()

  /// The number of objects that contain each other. Deeper ones are written at the end.
  static let nestingLimit = 16

  init(_ reader: any EngineReader, _ depth: MagicJSON.Depth) {
    (self.reader, self.depth) = (reader, depth)
    levels = depth.levels.map { DocumentLevels(limit: $0) }
  }

  /// Writes a document with one object.
  func document<Model: MagicObject>(of object: Model) throws -> MagicJSON {
    try levels?.find(from: [object])
    try writeRoot(object)
    try checkLabels(Model.self)
    return MagicJSON(Data(bytes))
  }

  /// Writes a document with an array of objects.
  func document<Model: MagicObject>(of objects: [Model]) throws -> MagicJSON {
    try levels?.find(from: objects)
    bytes.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try writeRoot(object)
    }
    bytes.append(UInt8(ascii: "]"))
    try checkLabels(Model.self)
    return MagicJSON(Data(bytes))
  }

  private func writeRoot<Model: MagicObject>(_ object: Model) throws {
    let key = try ObjectKey(of: object)
    if written.insert(key).inserted {
      try write(object, key, at: Place(), asRoot: true)
    } else {
      try writeReference(to: object, key)
    }
  }

  // MARK: Objects

  /// Writes an object that another one refers to: the object, or a reference to it.
  ///
  /// - Parameter place: the place of the object that has the relationship.
  func write<Model: MagicObject>(_ object: Model, below place: Place) throws {
    let key = try ObjectKey(of: object)
    let next = place.next
    guard levels.map({ $0[key] == next.level }) ?? true, written.insert(key).inserted else {
      return try writeReference(to: object, key)
    }
    guard next.nesting > Self.nestingLimit else { return try write(object, key, at: next) }
    pending.append {
      try self.write(object, key, at: Place(level: next.level, nesting: 1), withType: true)
    }
    try writeReference(to: object, key)
  }

  private func write<Model: MagicObject>(
    _ object: Model, _ key: ObjectKey, at place: Place, asRoot: Bool = false,
    withType: Bool = false
  ) throws {
    try cancellation.count()
    let schema = try ObjectSchema.of(Model.self)
    let layout = try layouts.layout(of: schema)
    var isFirst = true
    func begin(_ key: some Sequence<UInt8>) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes += key
    }
    bytes.append(UInt8(ascii: "{"))
    if withType {
      begin("\"$type\":".utf8)
      write(text: schema.tableName)
    }
    if needsLabel(key) {
      begin("\"$id\":".utf8)
      writeLabel(of: key)
    }
    try schema.withReference(to: object) { object in
      for property in layout.properties {
        let (before, wasFirst) = (bytes.count, isFirst)
        begin(property.json)
        if try !write(property, of: object, at: place) {
          bytes.removeLast(bytes.count - before)
          isFirst = wasFirst
        }
      }
    }
    if asRoot { try writePending(begin) }
    bytes.append(UInt8(ascii: "}"))
  }

  private func writePending(_ begin: (String.UTF8View) -> Void) throws {
    var next = 0
    while next < pending.count {
      if next == 0 {
        begin("\"$objects\":[".utf8)
      } else {
        bytes.append(UInt8(ascii: ","))
      }
      try pending[next]()
      next += 1
    }
    if next > 0 { bytes.append(UInt8(ascii: "]")) }
    pending.removeAll()
  }

  /// Writes the value of a property.
  ///
  /// - Returns: whether there is a value. Otherwise nothing was written.
  private func write(
    _ property: DocumentLayout.Property, of object: ObjectReference, at place: Place
  ) throws -> Bool {
    let reference = object.property(property.slot)
    do {
      if property.schema.isLazy { return try writeLazy(property.schema, reference, at: place) }
      guard let written = property.schema as? any WrittenProperty else { return false }
      return try written.write(reference, to: self, at: place, isSaved: object.identity != nil)
    } catch let error as MagicalError {
      throw MagicError(
        .cannotEncode, "The value of \(property.schema.property) cannot be written: \(error).",
        type: object.schema.typeName, property: property.schema.property, cause: error)
    }
  }

  // MARK: References

  /// Whether an object has no primary value, so that documents need a label for references to it.
  private func needsLabel(_ key: ObjectKey) -> Bool {
    switch key.key {
    case .row, .unsaved: true
    case .primary: false
    }
  }

  private func writeReference<Model: MagicObject>(to object: Model, _ key: ObjectKey) throws {
    bytes += "{\"$ref\":".utf8
    if needsLabel(key) {
      writeLabel(of: key)
    } else {
      let schema = try ObjectSchema.of(Model.self)
      try schema.withReference(to: object) { object in
        guard let primary = schema.primary,
          let column = schema.columns[primary] as? any WrittenProperty
        else { return }
        _ = try column.write(
          object.property(primary), to: self, at: Place(), isSaved: object.identity != nil)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func writeLabel(of key: ObjectKey) {
    if case .row(let row) = key.key {
      JSONScalar.write(.integer(row), to: &bytes)
    } else {
      let number = labels[key] ?? labels.count + 1
      labels[key] = number
      write(text: "new-\(number)")
    }
  }

  /// - Throws: `MagicError` with `.notSaved` if a reference is that of an object which is neither in
  ///   the document nor in a database.
  private func checkLabels<Model: MagicObject>(_ type: Model.Type) throws {
    guard labels.keys.allSatisfy(written.contains) else {
      throw MagicError(
        .notSaved,
        "The object refers to one that is not saved, so that a document cannot contain a reference "
          + "to it. Save it first, or use the depth graph.",
        type: try ObjectSchema.of(type).typeName)
    }
  }

  func write(text: String) {
    Array(text.utf8).withUnsafeBytes { JSONScalar.write(text: $0, to: &bytes) }
  }
}
