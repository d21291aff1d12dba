package import MagicPostgreSQL
package import MagicSchema
package import Magical

extension ColumnSchema {
  /// The type of the column in PostgreSQL.
  package var type: PostgreSQLType {
    switch codec {
    case .bool: .boolean
    case .uuid: .uuid
    default: PostgreSQLType(storageClass)
    }
  }
}

extension PostgreSQLType {
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
