import CMagicRuntime

/// An object's magic properties in its memory, whatever its type. Valid while the object is.
package struct ObjectReference {
  /// Where the object's properties lie.
  package let base: UnsafeRawPointer
  package let schema: ObjectSchema

  /// - Parameter instance: the object, as it lies in an array or a variable.
  @inline(__always)
  package init(instance: UnsafeRawPointer, schema: ObjectSchema) {
    base = schema.isClass ? instance.load(as: UnsafeRawPointer.self) : instance
    self.schema = schema
  }

  /// Where a column's property lies.
  @inline(__always)
  package func place(_ column: Int) -> UnsafePointer<PropertyReference> {
    (base + schema.plans[column].offset).assumingMemoryBound(to: PropertyReference.self)
  }

  /// Begins to fetch the memory of the object's values, for a loop that will come to it soon.
  @inline(__always)
  package func prefetch() {
    for plan in schema.plans {
      magic_prefetch(
        (base + plan.offset).assumingMemoryBound(to: UnsafeRawPointer?.self).pointee)
    }
  }

  /// The property of a column.
  @inline(__always)
  package func property(_ column: Int) -> PropertyReference { place(column).pointee }

  /// What copies of one instance have in common, and no other living object has.
  package var instanceKey: UInt {
    let first = property(0)
    guard !first.isCell else {
      return UInt(bitPattern: Unmanaged.passUnretained(first.storage).toOpaque())
    }
    let chunk = unsafeDowncast(first.storage, to: RowChunk.self)
    return UInt(bitPattern: chunk.base + PropertyReference.row(first.location))
  }

  /// The row the object is; nil while it is unsaved.
  package var identity: RowIdentity? { lookUp { $0.identity } }

  /// Like ``identity``, with what the transaction of a store that is under way has done.
  package func identity(inTransactionOf store: StoreToken) -> RowIdentity? {
    lookUp { record in
      let pending = record.pending
      return pending?.store == store ? pending : record.identity
    }
  }

  private func lookUp(_ identity: (ObjectRecord) -> RowIdentity?) -> RowIdentity? {
    let first = property(0)
    if first.isCell {
      return unsafeDowncast(first.storage, to: AnyCell.self).existingRecord.flatMap(identity)
    }
    let chunk = unsafeDowncast(first.storage, to: RowChunk.self)
    let row = PropertyReference.row(first.location)
    guard let record = chunk.existingRecord(ofRow: row) else {
      return chunk.fetchedIdentity(ofRow: row)
    }
    return identity(record)
  }

  /// The object's record, made where there is none.
  package var record: ObjectRecord {
    let first = property(0)
    if first.isCell {
      return ObjectRecord.inSlot(
        unsafeDowncast(first.storage, to: AnyCell.self).recordSlot, identity: nil, cellCount: 0)
    }
    return unsafeDowncast(first.storage, to: RowChunk.self)
      .record(ofRow: PropertyReference.row(first.location))
  }
}

extension ObjectSchema {
  /// Calls the body with an object's properties.
  package func withReference<Model: MagicObject, Result>(
    to object: Model, _ body: (ObjectReference) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: object) {
      try body(ObjectReference(instance: $0, schema: self))
    }
  }
}
