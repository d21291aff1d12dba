package import Magical

/// What the values of a column are. Each kind is a type of PostgreSQL and a form of values in SQLite.
/// The raw values are the names in exported databases.
package enum TransferredKind: String, Sendable {
  case integer, real, text, blob, boolean, uuid

  package init(_ storageClass: MagicalStorageClass) {
    switch storageClass {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .blob
    }
  }

  /// The storage class of the values in SQLite.
  package var storageClass: MagicalStorageClass {
    switch self {
    case .integer, .boolean: .integer
    case .real: .real
    case .text, .uuid: .text
    case .blob: .blob
    }
  }
}

/// A value between two databases. A UUID is its sixteen bytes, a text its UTF-8.
package enum TransferredValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
  case boolean(Bool)
  case uuid([UInt8])
}
