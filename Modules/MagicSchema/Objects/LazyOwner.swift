/// The object that a lazy property belongs to, for the code that fetches the value.
package struct LazyOwner: Sendable {
  package let schema: ObjectSchema
  /// The index of the property: columns, then collections.
  package let slot: Int
  /// The row of the object; nil if the object is not saved.
  package let identity: RowIdentity?
  /// Prevents the store of the row from closing.
  package let lease: StoreLease?
}

extension ObjectSchema {
  /// Returns a column or collection by its index in the type.
  package func stored(at slot: Int) -> PropertySchema {
    slot < columns.count ? columns[slot] : collections[slot - columns.count]
  }

  /// Returns the error for an object, or a value of its property, that does not exist.
  package func notFound(_ message: String, at slot: Int) -> MagicError {
    MagicError(.notFound, message, type: typeName, property: stored(at: slot).property)
  }
}

extension PropertyReference {
  /// Returns the object that a lazy property belongs to; nil if the object was never saved.
  ///
  /// - Parameter store: the store whose transaction is open, if the caller must see the uncommitted
  ///   state of that transaction.
  package func lazyOwner(inTransactionOf store: StoreToken? = nil) -> LazyOwner? {
    func identity(of record: ObjectRecord) -> RowIdentity? {
      store.map { record.identity(inTransactionOf: $0) } ?? record.identity
    }
    guard isBox else {
      return withExtendedLifetime(storage) {
        let record = row.existingRecord
        let found = record.map { identity(of: $0) } ?? row.fetchedIdentity
        let chunk = row.chunk
        let lease =
          found?.store == chunk.store ? chunk.storeLease : lazyPropertyBox?.lease
        return LazyOwner(schema: chunk.schema, slot: column, identity: found, lease: lease)
      }
    }
    guard let propertyBox = lazyPropertyBox, let position = propertyBox.position,
      let record = propertyBox.existingRecord
    else {
      return nil
    }
    let found = identity(of: record)
    // An object whose first save is not committed has no row yet.
    if found == nil, record.removedFrom == nil { return nil }
    return LazyOwner(
      schema: position.schema, slot: position.slot, identity: found, lease: propertyBox.lease)
  }
}

extension LazyReference {
  /// The error for a property without a value. It names the property if it is known.
  package var missingValue: MagicError {
    var names: (type: String?, property: String?) = (nil, nil)
    if case .place(let place) = self { names = Trap.names(of: place) }
    return MagicError(
      .missingValue,
      "The property has no value, neither in memory nor in a database. Set it first.",
      type: names.type, property: names.property)
  }
}
