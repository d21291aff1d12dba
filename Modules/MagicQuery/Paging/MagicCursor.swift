import Foundation
import MagicEngine

/// A place between two objects in the order of a query, from which a page begins or at which it ends.
///
/// A cursor is opaque. It contains the values by which the object beside it is sorted, its row ID and
/// a digest of the type and the order of the query. So it remains valid when objects are inserted or
/// deleted, in other processes, and when the conditions of the query change. A query of another type
/// or order refuses it with `.invalidQuery`.
///
/// ```swift
/// let first = try await magic.query(Person.self).order(by: \.$name).page(limit: 20)
/// let link = first.next?.description  // for the address of the next page
/// ```
///
/// A cursor can be encoded, and be written as a text of letters, digits, `-` and `_`. It is not
/// encrypted: a client can read the values in it, and can make cursors of its own. They can choose
/// another place in the order, but not other objects.
public struct MagicCursor: Hashable, Sendable {
  /// A digest of the type and the order of the query.
  package let order: UInt64
  /// The values by which the object beside the place is sorted; the last one is its row ID.
  package let values: [Value]
  /// Whether the place is after the object, and not before it.
  package let isAfter: Bool

  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(UInt64)
    case text(String)
    case blob([UInt8])
  }

  package init(order: UInt64, values: [Value], isAfter: Bool) {
    self.order = order
    self.values = values
    self.isAfter = isAfter
  }
}

extension MagicCursor: LosslessStringConvertible {
  /// Creates a cursor from its text; nil if the text is not that of a cursor.
  public init?(_ description: String) {
    var base64 = description.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    guard !description.contains("+"), !description.contains("/"), !description.contains("=") else {
      return nil
    }
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64), let cursor = CursorReader.cursor(in: Array(data))
    else { return nil }
    self = cursor
  }

  /// The cursor as a text of letters, digits, `-` and `_`, which can be a part of an address.
  public var description: String {
    Data(CursorWriter.bytes(of: self)).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}

extension MagicCursor: Codable {
  /// Decodes a cursor from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not a cursor.")
    }
    self = cursor
  }

  /// Encodes the text of the cursor.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
