import Magical
import MagicSchema
import MagicSQLite

extension LinkKeys {
  /// Reads the key of one more link of an owner.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`, naming the collection and the owner's row.
  func append(
    _ key: SQLiteColumn, of collection: CollectionColumn, _ schema: ObjectSchema, owner: Int64
  ) throws {
    do {
      try append(from: ColumnReader(column: key))
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, collection: collection, row: owner)
    }
  }
}
