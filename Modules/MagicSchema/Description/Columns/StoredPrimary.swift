package import Foundation
package import Magical

/// A primary value as it is stored. Two values are equal if the database stores the same value for
/// them: texts with the same characters in other Unicode forms are different primaries.
package enum StoredPrimary: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case data(Data)

  /// Creates the value from the column value of a primary; nil if it is none of the four types.
  package init?(_ stored: some MagicalPrimitive) {
    switch stored {
    case let text as String: self = .text(text)
    case let integer as Int64: self = .integer(integer)
    case let real as Double: self = .real(real)
    case let data as Data: self = .data(data)
    default: return nil
    }
  }

  /// Returns the column value; nil if it has another type.
  package func stored<Stored: MagicalPrimitive>(as type: Stored.Type) -> Stored? {
    switch self {
    case .text(let text): text as? Stored
    case .integer(let integer): integer as? Stored
    case .real(let real): real as? Stored
    case .data(let data): data as? Stored
    }
  }
}

extension StoredPrimary: Hashable {
  package static func == (left: StoredPrimary, right: StoredPrimary) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .data(let data): hasher.combine(data)
    }
  }
}

/// By the storage class, then by the value. Texts are compared by their bytes.
extension StoredPrimary: Comparable {
  package static func < (left: StoredPrimary, right: StoredPrimary) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    default: left.kind < right.kind
    }
  }

  private var kind: Int {
    switch self {
    case .text: 0
    case .integer: 1
    case .real: 2
    case .data: 3
    }
  }
}
