public import CMagicRuntime
public import Magical

/// One fetched row, where it lies in its ``RowChunk``; see ``RowLayout``.
///
/// Packed bytes never change once the row is handed out, so they are read without a lock; what a
/// user changes lies in cells of the row's ``ObjectRecord``. Valid while the chunk is.
@frozen @usableFromInline
package struct PackedRow: Hashable, @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutableRawPointer

  @inlinable
  package init(address: UnsafeMutableRawPointer) { self.address = address }

  @inlinable
  package var zIndex: Int64 {
    (address + RowLayout.zIndexOffset).load(as: Int64.self)
  }

  @inlinable
  package var chunk: RowChunk {
    (address + RowLayout.chunkOffset).load(as: Unmanaged<RowChunk>.self).takeUnretainedValue()
  }

  /// Whether two rows lie in one chunk.
  @inlinable
  package func isBeside(_ other: PackedRow) -> Bool {
    (address + RowLayout.chunkOffset).load(as: UInt.self)
      == (other.address + RowLayout.chunkOffset).load(as: UInt.self)
  }

  @inlinable
  package func slot(_ column: Int) -> UnsafeMutableRawPointer { address + column &* 8 }

  @inlinable
  package func isNull(_ column: Int) -> Bool {
    let word = (address + (RowLayout.nullsOffset &- (column &>> 6) &* 8)).load(as: UInt64.self)
    return word &>> UInt64(column & 63) & 1 != 0
  }

  @inlinable
  package var recordSlot: UnsafeMutablePointer<UnsafeRawPointer?> {
    (address + RowLayout.recordOffset).assumingMemoryBound(to: UnsafeRawPointer?.self)
  }
}

extension PackedRow {
  /// A property of the row, which keeps it.
  package func property(_ column: Int) -> PropertyReference {
    PropertyReference(
      storage: chunk.keeper, location: PropertyReference.location(row: self, column: column))
  }

  /// The row that a to-one's slot leads to.
  @inlinable
  package func target(_ column: Int) -> PackedRow {
    slot(column).load(as: PackedRow.self)
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
      recordSlot, identity: fetchedIdentity, cellCount: chunk.schema.layout.cellCount)
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
