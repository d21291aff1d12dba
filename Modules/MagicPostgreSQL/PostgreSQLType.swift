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
    case 829, 774: "macaddr"
    case 869: "inet"
    case 1083: "time"
    case 1186: "interval"
    case 1266: "timetz"
    case 1560: "bit"
    case 1562: "varbit"
    case 2249: "record"
    case 3614: "tsvector"
    case 3615: "tsquery"
    case 1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951,
      199, 3807:
      "array"
    case 3904, 3906, 3908, 3910, 3912, 3926: "range"
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
