package import MagicSchema
package import Magical

extension LinkKeys {
  /// Appends the key of the next join row of an owner.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`, which names the collection and the owner's row.
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
