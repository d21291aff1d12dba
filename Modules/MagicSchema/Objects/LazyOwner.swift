/// The object that a lazy property belongs to, for callers that ask the database.
package struct LazyOwner: Sendable {
  package let schema: ObjectSchema
  /// The property's place: columns, then collections.
  package let slot: Int
  /// The row the object is; nil while it is none.
  package let identity: RowIdentity?
  /// Keeps the row's store open.
  package let keeper: StoreKeeper?

}

extension ObjectSchema {
  /// A column or a collection, by its place in the type.
  package func stored(at slot: Int) -> PropertySchema {
    slot < columns.count ? columns[slot] : collections[slot - columns.count]
  }

  /// That an object, or what its property refers to, is gone.
  package func notFound(_ message: String, at slot: Int) -> MagicError {
    MagicError(.notFound, message, type: typeName, property: stored(at: slot).property)
  }
}

extension PropertyReference {
  /// The object that a lazy property belongs to; nil where it never was a row.
  ///
  /// - Parameter store: the store whose transaction is open, for callers that see what it has done.
  package func lazyOwner(inTransactionOf store: StoreToken? = nil) -> LazyOwner? {
    func identity(of record: ObjectRecord) -> RowIdentity? {
      store.map { record.identity(inTransactionOf: $0) } ?? record.identity
    }
    guard isBox else {
      return withExtendedLifetime(storage) {
        let record = row.existingRecord
        let found = record.map { identity(of: $0) } ?? row.fetchedIdentity
        let chunk = row.chunk
        let keeper =
          found?.store == chunk.store ? chunk.storeKeeper : lazyPropertyBox?.keeper
        return LazyOwner(schema: chunk.schema, slot: column, identity: found, keeper: keeper)
      }
    }
    guard let propertyBox = lazyPropertyBox, let home = propertyBox.home,
      let record = propertyBox.existingRecord
    else {
      return nil
    }
    let found = identity(of: record)
    // An object that is about to be saved for the first time is no row yet.
    if found == nil, record.removedFrom == nil { return nil }
    return LazyOwner(
      schema: home.schema, slot: home.slot, identity: found, keeper: propertyBox.keeper)
  }
}

extension LazyReference {
  /// That a property has no value, naming it where it is known.
  package var missingValue: MagicError {
    var names: (type: String?, property: String?) = (nil, nil)
    if case .place(let place) = self { names = Trap.names(of: place) }
    return MagicError(
      .missingValue, "The property has no value yet, neither in memory nor in a database.",
      type: names.type, property: names.property)
  }
}
