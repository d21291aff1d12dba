package import MagicPostgreSQL
package import MagicRequests

/// The kind of a value of a query. The SQL of a query depends on the kinds of its values, because
/// the parameters of a statement have types.
package enum ValueKind: UInt8, Hashable, Sendable {
  case null, integer, real, text, blob
  /// Lists of values of these kinds. A list of integers and real numbers has real numbers.
  case nullList, integerList, realList, textList, blobList

  package init(_ value: QueryValue) {
    switch value {
    case .null: self = .null
    case .integer, .object: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .blob
    case .list(let values): self = Self.list(values)
    }
  }

  private static func list(_ values: [QueryValue]) -> ValueKind {
    var kind = ValueKind.nullList
    for value in values {
      switch value {
      case .null, .list: continue
      case .integer, .object: if kind == .nullList { kind = .integerList }
      case .real: return .realList
      case .text: return .textList
      case .blob: return .blobList
      }
    }
    return kind
  }

  /// The type of the value, or of the elements; nil for NULL.
  var type: PostgreSQLType? {
    switch self {
    case .null, .nullList: nil
    case .integer, .integerList: .bigint
    case .real, .realList: .float8
    case .text, .textList: .text
    case .blob, .blobList: .bytea
    }
  }

  package static func kinds(of query: PreparedQuery) -> [ValueKind] {
    query.values.isEmpty ? [] : query.values.map { ValueKind($0) }
  }
}

/// How a value of a query becomes a parameter of its statement.
package struct ParameterForm: Sendable {
  package enum Encoding: Sendable {
    case value
    /// The elements of a list, as an array.
    case list
    /// A GLOB pattern, as a pattern of LIKE.
    case globPattern
    /// A pattern of LIKE, whose last character may be the escape character.
    case likePattern
    /// The offsets of a time zone, as an array of integers.
    case zone
    /// A text in the syntax of searches in a type, given by its ordinal, as the SQL of the search.
    case search(type: Int, isScored: Bool)
  }

  /// The type of the parameter, or of the elements of its array.
  package var type: PostgreSQLType
  package var encoding = Encoding.value

  init(_ kind: ValueKind) { type = kind.type ?? .text }

  /// The type of the parameter.
  package var parameterType: PostgreSQLType {
    switch encoding {
    case .list, .zone: type.array
    case .value, .globPattern, .likePattern, .search: type
    }
  }
}
