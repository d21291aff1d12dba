import Foundation
import MagicSchema
import Magical

/// The content of an identifier. Two keys are equal if the database stores the same value for them:
/// texts with the same characters in other Unicode forms are different primaries.
enum IdentifierKey: Sendable {
  // The column values of primaries.
  case text(String)
  case integer(Int64)
  case real(Double)
  case data(Data)
  /// The row ID, for a type without a primary.
  case row(Int64)
  /// An object that has neither.
  case unsaved(UInt)

  /// Creates the key for the column value of a primary.
  init?(stored: some MagicalPrimitive) {
    switch stored {
    case let text as String: self = .text(text)
    case let integer as Int64: self = .integer(integer)
    case let real as Double: self = .real(real)
    case let data as Data: self = .data(data)
    default: return nil
    }
  }

  /// Creates the key of an object.
  init(of object: ObjectReference) {
    let schema = object.schema
    let identity = object.identity
    if let primary = schema.primary {
      let column = schema.columns[primary] as? any IdentifyingColumn
      self =
        column?.key(of: object.property(primary), isSaved: identity != nil)
        ?? .unsaved(object.instanceKey)
    } else {
      self = identity.map { .row($0.zIndex.rawValue) } ?? .unsaved(object.instanceKey)
    }
  }

  /// The column value of a primary.
  func stored<Stored: MagicalPrimitive>(as type: Stored.Type) -> Stored? {
    switch self {
    case .text(let text): text as? Stored
    case .integer(let integer), .row(let integer): integer as? Stored
    case .real(let real): real as? Stored
    case .data(let data): data as? Stored
    case .unsaved: nil
    }
  }
}

extension IdentifierKey: Hashable {
  static func == (left: IdentifierKey, right: IdentifierKey) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.row(let left), .row(let right)): left == right
    case (.unsaved(let left), .unsaved(let right)): left == right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .integer(let integer), .row(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .data(let data): hasher.combine(data)
    case .unsaved(let key): hasher.combine(key)
    }
  }
}

/// The column of a primary.
protocol IdentifyingColumn: ColumnSchema {
  associatedtype Primary: MagicalPrimaryValue
}

extension PrimaryColumn: IdentifyingColumn {
  typealias Primary = Value
}

extension IdentifyingColumn {
  /// Returns the key for the value of a property; nil if no value is assigned.
  func key(of property: PropertyReference, isSaved: Bool) -> IdentifierKey? {
    assignDefault(property)
    guard let value = property.load(Primary.self), isSaved || value != Primary._unassigned,
      let stored = try? value.storedValue
    else { return nil }
    return IdentifierKey(stored: stored)
  }

  /// Returns the key for a value that was read from outside. Two texts that are the same primary
  /// value, such as a UUID in different case, have the same key.
  ///
  /// - Throws: `MagicalError` if it is no value of the primary.
  func key(for stored: Primary.StoredValue) throws -> IdentifierKey? {
    IdentifierKey(stored: try Primary(storedValue: stored).storedValue)
  }

  /// Returns the primary value for a key.
  func primary(for key: IdentifierKey) throws -> Primary? {
    try key.stored(as: Primary.StoredValue.self).map { try Primary(storedValue: $0) }
  }

  /// Whether the primary is a UUID that is stored as bytes. Its identifier is the text of the UUID,
  /// as in the JSON of the property.
  var isUUIDOfBytes: Bool { Primary.self == MagicUUID.self }

  func key(from container: any SingleValueDecodingContainer) throws -> IdentifierKey? {
    if isUUIDOfBytes { return key(text: try container.decode(String.self)) }
    guard let type = Primary.StoredValue.self as? any Decodable.Type,
      let stored = try container.decode(type) as? Primary.StoredValue
    else { return nil }
    return try key(for: stored)
  }

  /// Returns the key for a text; nil if the text is no value of the primary.
  func key(text: String) -> IdentifierKey? {
    if isUUIDOfBytes { return MagicUUID(text).map { .data($0.storedValue) } }
    let stored: (any MagicalPrimitive)? =
      switch Primary.StoredValue.storageClass {
      case .text: text
      case .integer: Int64(text)
      case .real: Double(text)
      case .blob: Data(base64Encoded: text)
      }
    guard let stored = stored as? Primary.StoredValue else { return nil }
    return (try? key(for: stored)) ?? nil
  }
}
