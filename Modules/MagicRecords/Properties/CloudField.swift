import Foundation
import MagicRelations
import MagicSchema
import Magical

/// The value of a property as a field, and the keys of a dictionary.
struct CloudField {
  var value: MagicCloudValue
  var keys: [String]?

  /// The name of the field with the keys of a dictionary.
  static func keysName(_ property: String) -> String { property + "_keys" }
  /// The name of the field with the extension of an asset's file.
  static func extensionName(_ property: String) -> String { property + "_extension" }

  /// The name of the field that a property has beside its own; nil if it has none.
  static func companion(of property: PropertySchema) -> String? {
    if property is any CloudFileProperty { return extensionName(property.property) }
    let isDictionary = (property as? CollectionColumn)?.kind == .dictionary
    return isDictionary ? keysName(property.property) : nil
  }
}

/// Why a field or a value is not valid. Its property is added by the caller.
struct CloudFieldProblem: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ value: MagicCloudValue, needs form: String) {
    reason = "The field is \(value.kind), and the property needs \(form)."
  }
}

extension TypedColumn {
  func cloudField(of value: Any) throws -> CloudField {
    guard let value = value as? Value else { return CloudField(value: .null) }
    let form = ValueForm(Value.self)
    return switch try value.storedValue {
    case let text as String: CloudField(value: .text(text))
    case let integer as Int64: CloudField(value: .integer(integer))
    case let real as Double:
      CloudField(
        value: form == .date ? .date(Date(timeIntervalSinceReferenceDate: real)) : .real(real))
    case let data as Data:
      CloudField(
        value: form == .uuidBytes
          ? .text(try MagicUUID(storedValue: data).uuid.uuidString) : .data(data))
    default: throw CloudFieldProblem("The value has no form in a record.")
    }
  }

  func value(of field: CloudField) throws -> Any {
    let form = ValueForm(Value.self)
    let stored: (any MagicalPrimitive)?
    switch (Value.StoredValue.storageClass, field.value) {
    case (.text, .text(let text)): stored = text
    case (.integer, .integer(let integer)): stored = integer
    case (.integer, .real(let real)): stored = Int64(exactly: real)
    case (.real, .date(let date)) where form == .date: stored = date.timeIntervalSinceReferenceDate
    // Numbers of CloudKit do not say whether they were integers.
    case (.real, .real(let real)) where form != .date: stored = real
    case (.real, .integer(let integer)) where form != .date: stored = Double(exactly: integer)
    case (.blob, .text(let text)) where form == .uuidBytes: stored = MagicUUID(text)?.storedValue
    case (.blob, .data(let data)) where form != .uuidBytes: stored = data
    default: stored = nil
    }
    guard let stored = stored as? Value.StoredValue else {
      throw CloudFieldProblem(field.value, needs: form.cloudName(Value.StoredValue.storageClass))
    }
    return try Value(storedValue: stored)
  }
}

extension ValueForm {
  /// The field that the form needs, for messages.
  fileprivate func cloudName(_ storageClass: MagicalStorageClass) -> String {
    switch (self, storageClass) {
    case (.date, _): "a date"
    case (.uuidBytes, _): "the text of a UUID"
    case (_, .text): "a text"
    case (_, .integer): "an integer"
    case (_, .real): "a real number"
    case (_, .blob): "data"
    }
  }
}

extension TypedToOneColumn {
  func cloudField(of value: Any) throws -> CloudField {
    guard let id = value as? MagicID<Target> else { return CloudField(value: .null) }
    return CloudField(value: .reference(try id.cloudRecordName))
  }

  func value(of field: CloudField) throws -> Any { try field.value.identifier(of: Target.self) }
}

extension TypedCollectionColumn {
  func cloudField(of value: Any) throws -> CloudField {
    guard let type = Value.self as? any RecordedCollection.Type else {
      throw CloudFieldProblem("The collection has no form in a record.")
    }
    return try Self.field(of: value, type)
  }

  func value(of field: CloudField) throws -> Any {
    guard let type = Value.self as? any RecordedCollection.Type else {
      throw CloudFieldProblem("The collection has no form in a record.")
    }
    return try Self.identifiers(of: field, type)
  }

  private static func field<Collection: RecordedCollection>(
    of value: Any, _ type: Collection.Type
  ) throws -> CloudField {
    guard let identifiers = value as? Collection.Identifiers else {
      return CloudField(value: .list([]))
    }
    let (members, keys) = try Collection.members(of: identifiers)
    return CloudField(
      value: .list(try members.map { .reference(try $0.cloudRecordName) }), keys: keys)
  }

  private static func identifiers<Collection: RecordedCollection>(
    of field: CloudField, _ type: Collection.Type
  ) throws -> Any {
    guard case .list(let values) = field.value else {
      throw CloudFieldProblem(field.value, needs: "a list of references")
    }
    let members = try values.map { try $0.identifier(of: Collection.Member.self) }
    return Collection.normalized(try Collection.identifiers(members, keys: field.keys))
  }
}

extension MagicCloudValue {
  fileprivate func identifier<Target: MagicObject>(of type: Target.Type) throws -> MagicID<Target> {
    guard case .reference(let name) = self else {
      throw CloudFieldProblem(self, needs: "a reference")
    }
    return try MagicID(cloudRecordName: name)
  }
}

extension RecordedCollection where Identifiers == [MagicID<Member>] {
  static func members(of identifiers: Identifiers) -> (members: Identifiers, keys: [String]?) {
    (identifiers, nil)
  }

  static func identifiers(_ members: Identifiers, keys: [String]?) -> Identifiers { members }
}

extension Dictionary where Key: Codable, Value: MagicObject {
  /// The members in the order of their keys as texts of JSON.
  static func members(
    of identifiers: [Key: MagicID<Value>]
  ) throws -> (members: [MagicID<Value>], keys: [String]?) {
    let pairs = try identifiers.map { key, member in
      (key: String(decoding: try JSONColumn.encode(key), as: UTF8.self), member: member)
    }.sorted { $0.key < $1.key }
    return (pairs.map(\.member), pairs.map(\.key))
  }

  static func identifiers(
    _ members: [MagicID<Value>], keys: [String]?
  ) throws -> [Key: MagicID<Value>] {
    // CloudKit does not contain empty lists.
    let keys = try (keys ?? []).map { text in
      do {
        return try JSONColumn.decode(Key.self, from: Data(text.utf8))
      } catch {
        throw CloudFieldProblem("A key of the dictionary is not valid.")
      }
    }
    guard keys.count == members.count, Set(keys).count == keys.count else {
      throw CloudFieldProblem(
        "The field with the keys does not have a different key for each member.")
    }
    return [Key: MagicID<Value>](uniqueKeysWithValues: zip(keys, members))
  }
}
