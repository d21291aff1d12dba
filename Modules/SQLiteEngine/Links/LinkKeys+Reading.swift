import MagicEngine
package import MagicSQLite
package import MagicSchema
import Magical
import SQLiteTables

extension LinkKeys {
  /// Reads the key of one more link of an owner.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`, naming the collection and the owner's row.
  package func append(
    _ key: SQLiteColumn, of collection: CollectionColumn, _ schema: ObjectSchema, owner: Int64
  ) throws {
    do {
      try append(from: ColumnReader(column: key))
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, collection: collection, row: owner)
    }
  }
}
