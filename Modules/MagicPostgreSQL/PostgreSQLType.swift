/// A type of PostgreSQL, by its object identifier.
@frozen
@usableFromInline
package struct PostgreSQLType: Hashable, Sendable {
  @usableFromInline package let oid: UInt32

  @inlinable package init(oid: UInt32) { self.oid = oid }

  @inlinable package static var boolean: PostgreSQLType { PostgreSQLType(oid: 16) }
  @inlinable package static var bytea: PostgreSQLType { PostgreSQLType(oid: 17) }
  @inlinable package static var bigint: PostgreSQLType { PostgreSQLType(oid: 20) }
  @inlinable package static var text: PostgreSQLType { PostgreSQLType(oid: 25) }
  @inlinable package static var float8: PostgreSQLType { PostgreSQLType(oid: 701) }
  @inlinable package static var uuid: PostgreSQLType { PostgreSQLType(oid: 2950) }
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

  /// Whether values of the type are read in the same way as those of another one.
  func isRead(as other: PostgreSQLType) -> Bool { form == other.form }

  /// One of the types whose values are read in the same way.
  private var form: PostgreSQLType {
    switch oid {
    case 21, 23: .bigint
    case 1043: .text
    default: self
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
