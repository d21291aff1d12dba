package import MagicPostgreSQL
package import MagicSchema
package import Magical
import PostgreSQLQueries

extension ColumnSchema {
  /// The type of the column in PostgreSQL.
  package var type: PostgreSQLType {
    switch codec {
    case .bool: .boolean
    case .uuid: .uuid
    default: PostgreSQLType(storageClass)
    }
  }

  /// The type of the column in SQL, with its collation.
  package var typeSQL: String { type.sql(collation) }
}

extension PostgreSQLType {
  /// Returns the type in SQL, for texts with a collation.
  package func sql(_ collation: MagicCollation?) -> String {
    guard self == .text, let collation else { return sql }
    return "text COLLATE \(collation.postgreSQLName.quoted)"
  }

  /// The type of values of a storage class.
  package init(_ storageClass: MagicalStorageClass) {
    self =
      switch storageClass {
      case .integer: .bigint
      case .real: .float8
      case .text: .text
      case .blob: .bytea
      }
  }
}
