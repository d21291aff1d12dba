public import CMagicRuntime
public import Magical

extension PackedRow {
  /// A property of the row, which keeps it.
  package func property(_ column: Int) -> PropertyReference {
    PropertyReference(
      storage: chunk.keeper, location: PropertyReference.location(row: self, column: column))
  }

  /// The box in a slot that holds one.
  package func slotBox(_ column: Int) -> AnyPropertyBox {
    slot(column).assumingMemoryBound(to: Unmanaged<AnyPropertyBox>.self).pointee
      .takeUnretainedValue()
  }

  /// Gives a collection's slot its box, before any object is made of the row.
  package func fill(_ slot: Int, _ box: AnyPropertyBox) {
    self.slot(slot).storeBytes(
      of: Unmanaged.passRetained(box).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  /// A column's value; nil for NULL.
  @inlinable
  func load<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value? {
    if let record = magic_pointer_load(recordSlot),
      let box = Unmanaged<ObjectRecord>.fromOpaque(record)._withUnsafeGuaranteedRef({
        $0.box(at: column)
      })
    {
      return unsafeDowncast(box, to: PropertyBox<Value>.self).load()
    }
    if Value._packing == .object {
      // A collection has no bit for NULL, and is never NULL.
      if column < RowChunk.columnCount(of: self), isNull(column) { return nil }
      return slot(column).assumingMemoryBound(to: Unmanaged<PropertyBox<Value>>.self).pointee
        ._withUnsafeGuaranteedRef { $0.load() }
    }
    if isNull(column) { return nil }
    return Value._unpack(_MagicalPackedValue(slot: slot(column), row: address))
  }

  /// The box of a column that is about to change, holding the value as it is.
  @usableFromInline
  func boxForChange<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> PropertyBox<
    Value
  > {
    let isCollection = column >= RowChunk.columnCount(of: self)
    if Value._packing == .object, isCollection || !isNull(column) {
      return slot(column).assumingMemoryBound(to: Unmanaged<PropertyBox<Value>>.self).pointee
        .takeUnretainedValue()
    }
    let record = record
    if let box = record.box(at: column) { return unsafeDowncast(box, to: PropertyBox<Value>.self) }
    let fetched =
      isNull(column) ? nil : Value._unpack(_MagicalPackedValue(slot: slot(column), row: address))
    let box: PropertyBox<Value>
    if Value._packing == .link {
      let link = RelationshipBox<Value>(fetched, isChanged: false)
      link.target = isNull(column) ? nil : target(column).zIndex
      box = link
    } else {
      box = PropertyBox<Value>(fetched, isChanged: false)
    }
    return unsafeDowncast(record.install(box, at: column), to: PropertyBox<Value>.self)
  }

  /// The box that holds a column's value; nil where it lies packed in the row.
  package func existingBox(_ packing: _MagicalPacking, _ column: Int) -> AnyPropertyBox? {
    if let box = existingRecord?.box(at: column) { return box }
    guard packing == .object, column >= RowChunk.columnCount(of: self) || !isNull(column) else {
      return nil
    }
    return slotBox(column)
  }

  /// The row's record, made where there is none.
  package var record: ObjectRecord {
    ObjectRecord.inSlot(
      recordSlot, identity: fetchedIdentity, boxCount: chunk.type.layout.boxCount)
  }

  /// The row as it was fetched.
  package var fetchedIdentity: RowIdentity {
    RowIdentity(store: chunk.store, zIndex: ZIndex(rawValue: zIndex))
  }

  /// The row's record where it has one.
  package var existingRecord: ObjectRecord? {
    magic_pointer_load(recordSlot).map {
      Unmanaged<ObjectRecord>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
