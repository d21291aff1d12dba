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

  /// The property of a column.
  @inline(__always)
  package func property(_ column: Int) -> PropertyReference {
    (base + schema.offsets[column]).assumingMemoryBound(to: PropertyReference.self).pointee
  }

  /// The row the object is; nil while it is unsaved.
  package var identity: RowIdentity? {
    let first = property(0)
    if first.isCell {
      return record(in: first)?.identity
    }
    let chunk = unsafeDowncast(first.storage, to: RowChunk.self)
    let row = PropertyReference.row(first.location)
    guard let record = chunk.existingRecord(ofRow: row) else {
      return chunk.fetchedIdentity(ofRow: row)
    }
    return record.identity
  }

  /// Makes the object another row, or none.
  package func setIdentity(_ identity: RowIdentity?) {
    let first = property(0)
    let record: ObjectRecord
    if first.isCell {
      record = ObjectRecord.inSlot(
        unsafeDowncast(first.storage, to: AnyCell.self).recordSlot, identity: nil, cellCount: 0)
    } else {
      record = unsafeDowncast(first.storage, to: RowChunk.self)
        .record(ofRow: PropertyReference.row(first.location))
    }
    record.identity = identity
  }

  private func record(in property: PropertyReference) -> ObjectRecord? {
    unsafeDowncast(property.storage, to: AnyCell.self).existingRecord
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
