import DatabaseTransfer
import Foundation
import MagicAssets
import MagicAsync
import MagicExchange
import MagicRecords
import MagicRelations
import MagicSchema
import Magical

/// A property whose value documents contain.
protocol WrittenProperty: PropertySchema {
  /// Writes the value of a property.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - writer: receives the value.
  ///   - place: the place of the object.
  ///   - isSaved: whether the object has a row.
  /// - Returns: whether there is a value. Otherwise nothing was written.
  func write(
    _ property: PropertyReference, to writer: DocumentWriter, at place: DocumentWriter.Place,
    isSaved: Bool
  ) throws -> Bool

  /// Adds the objects that a property refers to, which are in memory, to the levels of a document.
  func addMembers(of property: PropertyReference, to levels: DocumentLevels, at level: Int) throws
}

extension WrittenProperty {
  func addMembers(of property: PropertyReference, to levels: DocumentLevels, at level: Int) {}
}

extension TypedColumn: WrittenProperty {
  func write(
    _ property: PropertyReference, to writer: DocumentWriter, at place: DocumentWriter.Place,
    isSaved: Bool
  ) throws -> Bool {
    if role == .primary {
      guard let column = self as? any IdentifyingColumn,
        column.key(of: property, isSaved: isSaved) != nil
      else { return false }
    }
    // The version of an object that is not saved means nothing.
    if self is VersionColumn, !isSaved { return false }
    guard let value = property.load(Value.self) else {
      if role == .optional { JSONScalar.write(.null, to: &writer.bytes) }
      return role == .optional
    }
    if let file = value as? any FileValue { return try writer.write(file) }
    switch DocumentForm(Value.self) {
    case .json: writer.bytes += try value.documentJSON
    case .scalar(let kind):
      var scalar = ScalarWriter(kind)
      try value.write(to: &scalar)
      JSONScalar.write(scalar.value, to: &writer.bytes)
    }
    return true
  }
}

extension Magical {
  /// The JSON of a value whose column contains JSON.
  fileprivate var documentJSON: Data {
    get throws {
      if let value = self as? any MagicalCodable { return try JSONColumn.encode(value) }
      return try storedValue as? Data ?? Data()
    }
  }
}

extension TypedToOneColumn: WrittenProperty {
  func write(
    _ property: PropertyReference, to writer: DocumentWriter, at place: DocumentWriter.Place,
    isSaved: Bool
  ) throws -> Bool {
    if let target = property.load(Target.self) {
      try writer.write(target, below: place)
      return true
    }
    guard isNullable, !property.isExcluded(.link) else { return false }
    JSONScalar.write(.null, to: &writer.bytes)
    return true
  }

  func addMembers(of property: PropertyReference, to levels: DocumentLevels, at level: Int) throws {
    guard let target = property.load(Target.self) else { return }
    try levels.add(target, at: level)
  }
}

extension TypedCollectionColumn: WrittenProperty {
  func write(
    _ property: PropertyReference, to writer: DocumentWriter, at place: DocumentWriter.Place,
    isSaved: Bool
  ) throws -> Bool {
    guard let value = property.load(Value.self) else { return false }
    try writer.write(value, below: place)
    return true
  }

  func addMembers(of property: PropertyReference, to levels: DocumentLevels, at level: Int) throws {
    guard let value = property.load(Value.self) else { return }
    for member in value.membersAndKeys.members { try levels.add(member, at: level) }
  }
}

extension DocumentWriter {
  // MARK: Collections

  func write<Collection: ObjectCollection>(_ value: Collection, below place: Place) throws {
    let (members, keys) = value.membersAndKeys
    if let keys { return try write(members, keys, below: place) }
    var sorted = members
    if Collection.linkKind == .set {
      // Equal sets have equal documents.
      sorted = members.map { ($0, MagicID($0).key) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
    bytes.append(UInt8(ascii: "["))
    for (index, member) in sorted.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try write(member, below: place)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes a dictionary: an object if the keys are texts or integers, and otherwise an array of
  /// objects with a key and a value.
  private func write<Member: MagicObject>(
    _ members: [Member], _ keys: any LinkKeys, below place: Place
  ) throws {
    let form = DocumentForm(keysOf: keys.keyType)
    let isObject = form.isNameOfMember
    var entries: [(key: [UInt8], member: Member)] = []
    for (index, member) in members.enumerated() {
      entries.append((try keyBytes(index, of: keys, form, isName: isObject), member))
    }
    // The order of a dictionary differs from process to process.
    entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
    bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    for (index, entry) in entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if !isObject { bytes += "{\"key\":".utf8 }
      bytes += entry.key
      bytes += (isObject ? ":" : ",\"value\":").utf8
      try write(entry.member, below: place)
      if !isObject { bytes.append(UInt8(ascii: "}")) }
    }
    bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private func keyBytes(
    _ index: Int, of keys: any LinkKeys, _ form: DocumentForm, isName: Bool
  ) throws -> [UInt8] {
    switch form {
    case .json:
      var scalar = ScalarWriter(.blob)
      try keys.write(index, to: &scalar)
      guard case .blob(let json) = scalar.value else { return [] }
      return json
    case .scalar(let kind):
      var scalar = ScalarWriter(kind)
      try keys.write(index, to: &scalar)
      var key: [UInt8] = []
      if case .integer(let integer) = scalar.value, isName {
        scalar = ScalarWriter(.text)
        Array(integer.description.utf8).withUnsafeBytes { scalar.write(text: $0) }
      }
      JSONScalar.write(scalar.value, to: &key)
      return key
    }
  }

  // MARK: Lazy relationships and assets

  /// Writes a lazy relationship or asset in a document of a whole graph.
  func writeLazy(
    _ property: PropertySchema, _ reference: PropertyReference, at place: Place
  ) throws -> Bool {
    guard depth.levels == nil, let type = property.valueType as? any ReadableLazyValue.Type else {
      return false
    }
    return try writeLazy(type, property, reference, at: place)
  }

  private func writeLazy<Value: ReadableLazyValue>(
    _ type: Value.Type, _ property: PropertySchema, _ reference: PropertyReference, at place: Place
  ) throws -> Bool {
    guard let value = reference.load(Value.self) else {
      guard (property as? ColumnSchema)?.isNullable ?? false else { return false }
      JSONScalar.write(.null, to: &bytes)
      return true
    }
    let content: Value.Content
    do {
      content = try value.content(for: reader)
    } catch let error as MagicError where error.code == .missingValue {
      return false
    }
    if let object = content as? any MagicObject {
      try write(object, below: place)
    } else if let collection = content as? any ObjectCollection {
      try write(collection, below: place)
    } else if let file = content as? any FileValue {
      return try write(file)
    }
    return true
  }

  /// Writes an asset in a document of a whole graph.
  func write(_ file: any FileValue) throws -> Bool {
    guard depth.levels == nil else { return false }
    bytes += "{\"$asset\":".utf8
    if let content = file.content {
      JSONScalar.write(.blob(Array(try content.readAll())), to: &bytes)
      if let pathExtension = content.pathExtension {
        bytes += ",\"extension\":".utf8
        write(text: pathExtension)
      }
    } else {
      JSONScalar.write(.null, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }
}

extension DocumentForm {
  /// Whether keys of a dictionary are names of the members of an object.
  var isNameOfMember: Bool {
    switch self {
    case .scalar(.text), .scalar(.integer): true
    default: false
    }
  }
}
