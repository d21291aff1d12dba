import MagicSQLite
import MagicSchema

extension ObjectSchema {
  /// The hash of the table's name if rows of the type can be cached: they refer to no objects, no
  /// lazy values and no files.
  var cachedTable: UInt64? {
    guard layout.objectSlots.isEmpty, collections.isEmpty, !hasLazies, fileColumns.isEmpty,
      !columns.contains(where: { $0.codec == .link })
    else { return nil }
    return ChangedRows.hash(ofTable: tableName)
  }
}
