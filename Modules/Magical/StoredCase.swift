/// The column value of one value of an enumeration.
package enum StoredCase: Codable, Equatable, Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)

  /// The maximum number of values that are listed.
  package static let limit = 1_000

  /// Returns the column values of an enumeration, in the order of its `allCases`; nil for a type
  /// that does not have the form ``ValueForm/enumeration``, and for more values than ``limit``.
  package static func all(of type: any Magical.Type) -> [StoredCase]? {
    guard ValueForm(type) == .enumeration, let list = type as? any CaseIterable.Type else {
      return nil
    }
    return all(in: list)
  }

  private static func all<List: CaseIterable>(in list: List.Type) -> [StoredCase]? {
    let values = list.allCases.prefix(limit + 1)
    guard values.count <= limit else { return nil }
    var cases: [StoredCase] = []
    for value in values {
      // A value that cannot be stored is in no row.
      guard let value = value as? any Magical, let stored = try? StoredCase(value) else { continue }
      cases.append(stored)
    }
    return cases
  }

  private init?(_ value: some Magical) throws {
    switch try value.storedValue {
    case let text as String: self = .text(text)
    case let integer as Int64: self = .integer(integer)
    case let real as Double: self = .real(real)
    default: return nil
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    }
  }
}
