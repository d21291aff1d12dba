/// A type of PostgreSQL, by its object identifier.
package struct PostgreSQLType: Hashable, Sendable {
  package let oid: UInt32

  package init(oid: UInt32) { self.oid = oid }

  package static let boolean = PostgreSQLType(oid: 16)
  package static let bytea = PostgreSQLType(oid: 17)
  package static let bigint = PostgreSQLType(oid: 20)
  package static let text = PostgreSQLType(oid: 25)
  package static let float8 = PostgreSQLType(oid: 701)
  package static let uuid = PostgreSQLType(oid: 2950)
}

extension PostgreSQLType {
  /// The type of arrays of this type.
  package var array: PostgreSQLType {
    switch self {
    case .boolean: PostgreSQLType(oid: 1000)
    case .bytea: PostgreSQLType(oid: 1001)
    case .bigint: PostgreSQLType(oid: 1016)
    case .float8: PostgreSQLType(oid: 1022)
    case .uuid: PostgreSQLType(oid: 2951)
    default: PostgreSQLType(oid: 1009)
    }
  }

  /// The name of the type in SQL. Texts are compared by their bytes.
  package var sql: String {
    switch self {
    case .boolean: "boolean"
    case .bytea: "bytea"
    case .bigint: "bigint"
    case .float8: "double precision"
    case .uuid: "uuid"
    default: "text COLLATE \"C\""
    }
  }
}
