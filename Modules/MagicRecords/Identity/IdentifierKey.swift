import Foundation
package import MagicSchema
package import Magical

/// The content of an identifier.
package enum IdentifierKey: Sendable, Hashable {
  case primary(StoredPrimary)
  /// The row ID, for a type without a primary.
  case row(Int64)
  /// An object that has neither.
  case unsaved(UInt)

  /// Creates the key for the column value of a primary.
  package init?(stored: some MagicalPrimitive) {
    guard let primary = StoredPrimary(stored) else { return nil }
    self = .primary(primary)
  }

  /// Creates the key of an object.
  package init(of object: ObjectReference) {
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
}

/// By the kind, then by the value.
extension IdentifierKey: Comparable {
  package static func < (left: IdentifierKey, right: IdentifierKey) -> Bool {
    switch (left, right) {
    case (.primary(let left), .primary(let right)): left < right
    case (.row(let left), .row(let right)): left < right
    case (.unsaved(let left), .unsaved(let right)): left < right
    default: left.kind < right.kind
    }
  }

  private var kind: Int {
    switch self {
    case .primary: 0
    case .row: 1
    case .unsaved: 2
    }
  }
}

/// The column of a primary.
package protocol IdentifyingColumn: ColumnSchema {
  associatedtype Primary: MagicalPrimaryValue
}

extension PrimaryColumn: IdentifyingColumn {
  package typealias Primary = Value
}

extension IdentifyingColumn {
  /// Returns the key for the value of a property; nil if no value is assigned.
  package func key(of property: PropertyReference, isSaved: Bool) -> IdentifierKey? {
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
    guard case .primary(let primary) = key else { return nil }
    return try primary.stored(as: Primary.StoredValue.self).map { try Primary(storedValue: $0) }
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
    if isUUIDOfBytes { return MagicUUID(text).map { .primary(.data($0.storedValue)) } }
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
