import Foundation

/// A JSON value. Two values are equal only if all bits of their numbers and all scalars of their
/// texts are.
enum JSON: Hashable {
  case null
  case bool(Bool)
  /// The bits of a `Double`; and the integer, if it is one that a `Double` may not represent.
  case number(UInt64, Int64?)
  /// The text as ``Exact/text(_:)``.
  case text(String)
  case array([JSON])
  case object([String: JSON])

  static func exact(_ text: String?) -> JSON { text.map { .text(Exact.text($0)) } ?? .null }

  static func integer(_ integer: Int64) -> JSON { number(Double(integer), integer) }

  /// JSON has no infinity: the reader prints it as text.
  static func real(_ real: Double) -> JSON {
    real.isFinite ? number(real, Int64(exactly: real)) : exact("\(real)")
  }

  private static func number(_ real: Double, _ integer: Int64?) -> JSON {
    .number(real.bitPattern, real.magnitude < 0x1p53 ? nil : integer)
  }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .exact(text)
    } else if let real = try? container.decode(Double.self) {
      self = .number(real, try? container.decode(Int64.self))
    } else if let object = try? container.decode([String: JSON].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .bool(try container.decode(Bool.self))
    }
  }
}

extension JSON {
  /// The elements of an array, or of a JSON array as base64, in an order that only they determine.
  var unordered: JSON {
    switch self {
    case .array(let elements): .array(elements.sorted { "\($0)" < "\($1)" })
    case .text(let text):
      Data(base64Encoded: text.trimmingCharacters(in: ["\""]))
        .flatMap { try? JSONDecoder().decode(JSON.self, from: $0).unordered } ?? self
    default: self
    }
  }
}
