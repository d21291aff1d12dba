package import MagicSchema

extension StoreToken {
  /// Returns the row ID of an object in this database.
  ///
  /// - Parameter isWriting: whether the caller is a transaction, which may have inserted the object
  ///   itself.
  /// - Throws: `MagicError` with `.notSaved`.
  package func rowID<Model: MagicObject>(of object: Model, isWriting: Bool) throws -> Int64 {
    let schema = try ObjectSchema.of(Model.self)
    let identity = schema.withReference(to: object) {
      isWriting ? $0.identity(inTransactionOf: self) : $0.identity
    }
    guard let identity, identity.store == self else {
      throw MagicError(
        .notSaved, "A query value is an object that is not saved in this database. Save it first.",
        type: schema.typeName)
    }
    return identity.zIndex.rawValue
  }
}
