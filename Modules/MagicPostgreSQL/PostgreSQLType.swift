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

  /// The name of a type whose values the library does not read, or its number.
  package var name: String {
    switch oid {
    case 600: "point"
    case 601: "lseg"
    case 602: "path"
    case 603: "box"
    case 604: "polygon"
    case 628: "line"
    case 650: "cidr"
    case 718: "circle"
    case 790: "money"
    case 774: "macaddr8"
    case 829: "macaddr"
    case 869: "inet"
    case 1083: "time"
    case 1186: "interval"
    case 1266: "timetz"
    case 1560: "bit"
    case 1562: "varbit"
    case 2249: "record"
    case 3614: "tsvector"
    case 3615: "tsquery"
    case 1007: "integer[]"
    case 1009: "text[]"
    case 1016: "bigint[]"
    case 3904: "int4range"
    case 3906: "numrange"
    case 3908: "tsrange"
    case 3910: "tstzrange"
    case 3912: "daterange"
    case 3926: "int8range"
    default: "\(oid)"
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
