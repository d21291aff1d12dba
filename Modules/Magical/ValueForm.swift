import Foundation

/// What the column values of a property represent. A database records it for each property, because
/// the storage class alone does not distinguish a date from a number.
package enum ValueForm: String, CaseIterable, Sendable {
  case text, integer, real, bool, date, uuid, url, decimal, duration
  /// Bytes.
  case data
  /// The sixteen bytes of a UUID.
  case uuidBytes = "uuid-bytes"
  /// A JSON document in UTF-8, stored as a blob.
  case json
  /// The name of an asset file.
  case asset
  /// The raw value of a type that is `CaseIterable`.
  case enumeration = "enum"
  /// The numbers of a vector, stored as a blob.
  case vector

  /// The form of a type's values. A type with a conversion of its own has the form of its column
  /// value.
  package init<Value: Magical>(_ type: Value.Type) {
    self =
      switch type {
      case is Bool.Type: .bool
      case is Date.Type: .date
      case is UUID.Type: .uuid
      case is MagicUUID.Type: .uuidBytes
      case is MagicVector.Type: .vector
      case is URL.Type: .url
      case is Decimal.Type: .decimal
      case is [UInt8].Type: .data
      default: Self.ofStoredValue(type)
      }
  }

  private static func ofStoredValue<Value: Magical>(_ type: Value.Type) -> ValueForm {
    switch Value.StoredValue.storageClass {
    case .blob: type is any StoredAsJSON.Type || type is any MagicalCodable.Type ? .json : .data
    case _ where type is any (RawRepresentable & CaseIterable).Type: .enumeration
    case .integer: .integer
    case .real: .real
    case .text: type is any StoredAsDuration.Type ? .duration : .text
    }
  }

  /// Whether a property of this form would read values of another form, with the same storage class, as
  /// other values, or could read none of them. All other changes keep the values, or are checked when a
  /// value is read.
  package func misreads(_ stored: ValueForm) -> Bool {
    switch (stored, self) {
    case (.vector, .vector), (.vector, .data): false
    case (.vector, _), (_, .vector), (.real, .date): true
    default: false
    }
  }

  /// The storage class of the form's column values; nil for an enumeration, whose type chooses it.
  package var storageClass: MagicalStorageClass? {
    switch self {
    case .text, .uuid, .url, .decimal, .duration, .asset: .text
    case .integer, .bool: .integer
    case .real, .date: .real
    case .data, .uuidBytes, .json, .vector: .blob
    case .enumeration: nil
    }
  }
}

/// A type whose column value is JSON.
protocol StoredAsJSON {}

extension Array: StoredAsJSON {}
extension Set: StoredAsJSON {}
extension Dictionary: StoredAsJSON {}
extension Range: StoredAsJSON {}
extension ClosedRange: StoredAsJSON {}
