package import MagicEngine
package import MagicSchema
import SQLiteTables

extension ReadRegion {
  /// The table of a type, and the links of its collections.
  package mutating func insert(_ schema: ObjectSchema, isLoaded: Bool) {
    insert(table: schema.tableName)
    for column in schema.collections where !(isLoaded && column.isLazy) {
      insert(table: LinkTable(owner: schema, column: column).name)
    }
  }
}
