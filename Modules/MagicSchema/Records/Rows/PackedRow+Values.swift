public import CMagicRuntime
public import Magical

extension PackedRow {
  /// A property of the row, which keeps it.
  package func property(_ column: Int) -> PropertyReference {
    PropertyReference(
      storage: chunk.keeper, location: PropertyReference.location(row: self, column: column))
  }

  /// The cell in a slot that holds one.
  package func slotCell(_ column: Int) -> AnyCell {
    slot(column).assumingMemoryBound(to: Unmanaged<AnyCell>.self).pointee.takeUnretainedValue()
  }

  /// Gives a collection's slot its cell, before any object is made of the row.
  package func fill(_ slot: Int, _ cell: AnyCell) {
    self.slot(slot).storeBytes(
      of: Unmanaged.passRetained(cell).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  /// A column's value; nil for NULL.
  @inlinable
  func load<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value? {
    if let record = magic_pointer_load(recordSlot),
      let cell = Unmanaged<ObjectRecord>.fromOpaque(record)._withUnsafeGuaranteedRef({
        $0.cell(at: column)
      })
    {
      return unsafeDowncast(cell, to: Cell<Value>.self).load()
    }
    if Value._packing == .object {
      // A collection has no bit for NULL, and is never NULL.
      if column < RowChunk.columnCount(of: self), isNull(column) { return nil }
      return slot(column).assumingMemoryBound(to: Unmanaged<Cell<Value>>.self).pointee
        ._withUnsafeGuaranteedRef { $0.load() }
    }
    if isNull(column) { return nil }
    return Value._unpack(PackedValue(slot: slot(column), row: address))
  }

  /// The cell of a column that is about to change, holding the value as it is.
  @usableFromInline
  func cellForChange<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Cell<Value> {
    let isCollection = column >= RowChunk.columnCount(of: self)
    if Value._packing == .object, isCollection || !isNull(column) {
      return slot(column).assumingMemoryBound(to: Unmanaged<Cell<Value>>.self).pointee
        .takeUnretainedValue()
    }
    let record = record
    if let cell = record.cell(at: column) { return unsafeDowncast(cell, to: Cell<Value>.self) }
    let fetched =
      isNull(column) ? nil : Value._unpack(PackedValue(slot: slot(column), row: address))
    let cell: Cell<Value>
    if Value._packing == .link {
      let link = RelationCell<Value>(fetched, isChanged: false)
      link.target = isNull(column) ? nil : target(column).zIndex
      cell = link
    } else {
      cell = Cell<Value>(fetched, isChanged: false)
    }
    return unsafeDowncast(record.install(cell, at: column), to: Cell<Value>.self)
  }

  /// The cell that holds a column's value; nil where it lies packed in the row.
  package func existingCell(_ packing: MagicalPacking, _ column: Int) -> AnyCell? {
    if let cell = existingRecord?.cell(at: column) { return cell }
    guard packing == .object, column >= RowChunk.columnCount(of: self) || !isNull(column) else {
      return nil
    }
    return slotCell(column)
  }

  /// The row's record, made where there is none.
  package var record: ObjectRecord {
    ObjectRecord.inSlot(
      recordSlot, identity: fetchedIdentity, cellCount: chunk.type.layout.cellCount)
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
