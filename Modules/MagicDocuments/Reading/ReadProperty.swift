import DatabaseTransfer
import Foundation
import MagicAssets
import MagicEngine
import MagicExchange
import MagicRuntime
import MagicSchema
import Magical

/// A property whose value is read from documents.
protocol ReadProperty: PropertySchema {
  var readForm: ReadForm { get }

  /// Sets the value of a property, or adds the link that sets it when all objects were read.
  ///
  /// - Parameter form: ``readForm``.
  /// - Throws: `MagicError`, and `MagicalError` for a value of another type.
  func read(
    _ json: UnsafeRawBufferPointer, as form: ReadForm, into property: PropertyReference,
    _ reader: DocumentReader, at place: ReadPlace) throws

  /// Returns the value of a property of a key; nil if no row can have it.
  func keyValue(of property: PropertyReference, _ reader: DocumentReader) throws -> QueryValue?

  /// Whether a new object cannot be saved, because the property has no value.
  func isMissing(_ property: PropertyReference) -> Bool

  /// Releases the objects of a relationship, which may refer to the property's object.
  func releaseObjects(_ property: PropertyReference)
}

extension UnsafeRawBufferPointer {
  var isNull: Bool { elementsEqual("null".utf8) }
}

extension TypedColumn: ReadProperty {
  var readForm: ReadForm {
    if Value.self is any FileValue.Type { return .asset }
    return switch DocumentForm(Value.self) {
    case .json: .json
    case .scalar(let kind): .scalar(kind)
    }
  }

  func read(
    _ json: UnsafeRawBufferPointer, as form: ReadForm, into property: PropertyReference,
    _ reader: DocumentReader, at place: ReadPlace
  ) throws {
    if case .scalar(let kind) = form, setPlain(json, as: kind, of: property) { return }
    guard !json.isNull else {
      guard role == .optional else {
        throw place.path.error(.wrongType, "the value cannot be null", nil, self)
      }
      property.boxForChange(Value.self).store(nil)
      return
    }
    property.boxForChange(Value.self).store(
      try value(json, as: form, at: place, reader))
  }

  private func value(
    _ json: UnsafeRawBufferPointer, as form: ReadForm, at place: ReadPlace,
    _ reader: DocumentReader
  ) throws -> Value {
    let decoder = reader.valueDecoder
    switch form {
    case .objects: throw mismatch(place.path)
    case .asset:
      guard let type = Value.self as? any FileValue.Type else { throw mismatch(place.path) }
      return try asset(json, type, at: place.path)
    case .json:
      if let type = Value.self as? any MagicalCodable.Type {
        return try decoded(json, type, at: place.path, decoder)
      }
      if let decoder, let type = Value.self as? any Decodable.Type {
        return try decoded(json, type, at: place.path, decoder)
      }
      guard let data = Data(json) as? Value.StoredValue else { throw mismatch(place.path) }
      return try Value(storedValue: data)
    case .scalar(let kind):
      guard
        let value = JSONScalar.value(json, kind)
          ?? (reader.isImport ? ImportedScalar.value(json, of: ValueForm(Value.self)) : nil)
      else {
        throw place.path.error(.wrongType, "the value is not \(JSONScalar.noun(kind))", nil, self)
      }
      if case .real(let real) = value, real.isNaN {
        throw place.path.error(.wrongType, "the value is NaN, which cannot be stored", nil, self)
      }
      return try ScalarReader.with(value) { try Value.read(from: $0) }
    }
  }

  private func decoded<Content: Decodable>(
    _ json: UnsafeRawBufferPointer, _ type: Content.Type, at path: DocumentPath,
    _ decoder: JSONDecoder?
  ) throws -> Value {
    guard let value = try JSONColumn.decode(type, from: Data(json), with: decoder) as? Value else {
      throw mismatch(path)
    }
    return value
  }

  private func asset<File: FileValue>(
    _ json: UnsafeRawBufferPointer, _ type: File.Type, at path: DocumentPath
  ) throws -> Value {
    guard let value = File(try DocumentReader.asset(json, self, at: path)) as? Value else {
      throw mismatch(path)
    }
    return value
  }

  private func mismatch(_ path: DocumentPath) -> MagicError {
    path.error(.wrongType, "the value has another type than the property", nil, self)
  }

  func keyValue(of property: PropertyReference, _ reader: DocumentReader) throws -> QueryValue? {
    try property.load(Value.self).map { try QueryValue($0) }
  }

  func isMissing(_ property: PropertyReference) -> Bool {
    // The database assigns versions.
    role == .required && !(self is VersionColumn) && property.load(Value.self) == nil
  }

  func releaseObjects(_ property: PropertyReference) {}
}

extension TypedToOneColumn: ReadProperty {
  var readForm: ReadForm { .objects }

  func read(
    _ json: UnsafeRawBufferPointer, as form: ReadForm, into property: PropertyReference,
    _ reader: DocumentReader, at place: ReadPlace
  ) throws {
    guard !json.isNull else {
      guard isNullable else {
        throw place.path.error(.wrongType, "the value cannot be null", nil, self)
      }
      property.boxForChange(Target.self).store(nil)
      return
    }
    let member = try reader.member(json, of: ObjectSchema.of(Target.self), at: place)
    reader.addLink { [unowned reader] in
      property.boxForChange(Target.self).store(try reader.resolve(member, as: Target.self))
    }
  }

  func keyValue(of property: PropertyReference, _ reader: DocumentReader) throws -> QueryValue? {
    try property.load(Target.self).flatMap { try reader.rowID(ofTarget: $0) }.map { .integer($0) }
  }

  func isMissing(_ property: PropertyReference) -> Bool {
    !isNullable && property.load(Target.self) == nil
  }

  func releaseObjects(_ property: PropertyReference) { property.releaseValue(Target.self) }
}

extension TypedCollectionColumn: ReadProperty {
  var readForm: ReadForm { .objects }

  func read(
    _ json: UnsafeRawBufferPointer, as form: ReadForm, into property: PropertyReference,
    _ reader: DocumentReader, at place: ReadPlace
  ) throws {
    let collection = try reader.collection(json, as: Value.self, self, at: place)
    reader.addLink { property.boxForChange(Value.self).store(try collection()) }
  }

  func keyValue(of property: PropertyReference, _ reader: DocumentReader) -> QueryValue? { nil }

  func isMissing(_ property: PropertyReference) -> Bool { property.load(Value.self) == nil }

  func releaseObjects(_ property: PropertyReference) { property.releaseValue(Value.self) }
}

extension PropertyReference {
  /// Removes the value of a new object, which is not used any more. The property does not change.
  fileprivate func releaseValue<Value: Magical & Sendable>(_ type: Value.Type) {
    guard isBox else { return }
    let box = boxForChange(Value.self)
    let old = box.withLock {
      let value = box.value
      box.value = nil
      box.isDeferred = false
      return (value, box.markSaved())
    }
    withExtendedLifetime(old) {}
  }
}

extension DocumentReader {
  // MARK: Collections

  /// Reads the members of a collection.
  ///
  /// - Returns: a closure that returns the collection when all objects were read.
  func collection<Collection: ObjectCollection>(
    _ json: UnsafeRawBufferPointer, as type: Collection.Type, _ property: PropertySchema,
    at place: ReadPlace
  ) throws -> () throws -> Collection {
    let keys = Collection.makeKeys()
    let members =
      if let keys {
        try entries(json, as: Collection.self, keys, property, at: place)
      } else {
        try elements(json, as: Collection.self, property, at: place)
      }
    return { [unowned self] in
      var objects = try members.map { try self.resolve($0, as: Collection.Member.self) }
      if Collection.linkKind == .set { objects = try Self.distinct(objects) }
      let value = Collection(members: objects, keys: keys, start: 0)
      guard keys == nil || value.membersAndKeys.members.count == objects.count else {
        throw place.path.error(.duplicateKey, "a key occurs twice", nil, property)
      }
      return value
    }
  }

  private static func distinct<Model: MagicObject>(_ objects: [Model]) throws -> [Model] {
    let schema = try ObjectSchema.of(Model.self)
    var known: Set<UInt> = []
    return objects.filter { object in
      known.insert(instanceKey(of: object, schema)).inserted
    }
  }

  private func elements<Collection: ObjectCollection>(
    _ json: UnsafeRawBufferPointer, as type: Collection.Type, _ property: PropertySchema,
    at place: ReadPlace
  ) throws -> [Member] {
    let schema = try ObjectSchema.of(Collection.Member.self)
    var members: [Member] = []
    let isComplete = try JSONScanner.forEachElement(of: json) {
      let path = place.path.index(members.count)
      members.append(try member($0, of: schema, at: place.below(path)))
    }
    guard isComplete else {
      throw place.path.error(.wrongType, "the value is not an array", nil, property)
    }
    return members
  }

  /// Reads the members of a dictionary.
  private func entries<Collection: ObjectCollection>(
    _ json: UnsafeRawBufferPointer, as type: Collection.Type, _ keys: any LinkKeys,
    _ property: PropertySchema, at place: ReadPlace
  ) throws -> [Member] {
    let form = DocumentForm(keysOf: keys.keyType)
    let schema = try ObjectSchema.of(Collection.Member.self)
    var members: [Member] = []
    func add(
      _ key: TransferredValue?, _ value: UnsafeRawBufferPointer, _ path: DocumentPath
    ) throws {
      guard let key, key != .null else {
        throw path.error(.wrongType, "the key is not one of the dictionary's type", nil, property)
      }
      try ScalarReader.with(key) { try keys.append(from: $0) }
      members.append(try member(value, of: schema, at: place.below(path)))
    }
    guard form.isNameOfMember else {
      let isComplete = try JSONScanner.forEachElement(of: json) { element in
        let path = place.path.index(members.count)
        let (key, value) = try Self.keyAndValue(element, property, path)
        let stored: TransferredValue? =
          switch form {
          case .json: .blob(Array(key))
          case .scalar(let kind): JSONScalar.value(key, kind)
          }
        try add(stored, value, path)
      }
      guard isComplete else {
        throw place.path.error(.wrongType, "the value is not an array", nil, property)
      }
      return members
    }
    let isComplete = try JSONScanner.forEachMember(of: json) { name, value in
      let path = place.path.index(members.count)
      guard let name = JSONText.decoded(name) else {
        throw path.error(.invalidJSON, "a key is not valid", nil, property)
      }
      if case .scalar(.integer) = form {
        try add(name.withUnsafeBytes { JSONScalar.value($0, .integer) }, value, path)
      } else {
        try add(.text(name), value, path)
      }
    }
    guard isComplete else {
      throw place.path.error(.wrongType, "the value is not an object", nil, property)
    }
    return members
  }

  private static func keyAndValue(
    _ json: UnsafeRawBufferPointer, _ property: PropertySchema, _ path: DocumentPath
  ) throws -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer) {
    var key: UnsafeRawBufferPointer?
    var value: UnsafeRawBufferPointer?
    let isComplete = try JSONScanner.forEachMember(of: json) { name, content in
      if key == nil, name.elementsEqual("key".utf8) {
        key = content
      } else if value == nil, name.elementsEqual("value".utf8) {
        value = content
      } else {
        throw path.error(.unknownKey, "a member has other keys than key and value", nil, property)
      }
    }
    guard isComplete, let key, let value else {
      throw path.error(
        .wrongType, "a member is not an object with a key and a value", nil, property)
    }
    return (key, value)
  }
}
