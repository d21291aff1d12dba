package import MagicSchema
package import Magical

extension LinkKeys {
  /// Reads the key of one more join row of an owner.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`, naming the collection and the owner's row.
  package func append(
    _ key: borrowing some MagicalReader, of collection: CollectionColumn, _ schema: ObjectSchema,
    owner: Int64
  ) throws {
    do {
      try append(from: key)
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, collection: collection, row: owner)
    }
  }
}
