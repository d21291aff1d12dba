public import CMagicRuntime
public import Magical

/// Fetched rows, packed one behind the other: one allocation for many objects.
///
/// Packed bytes never change once the chunk is handed out, so they are read without a lock; what a
/// user changes lies in cells of the row's ``ObjectRecord``. One object keeps its whole chunk,
/// which is why a chunk holds ``capacityLimit`` bytes at most, unless a single row is larger.
///
/// From the end of the memory a directory of the rows' offsets grows downwards.
@usableFromInline
package final class RowChunk: PropertyStorage {
  @usableFromInline package static var capacityLimit: Int { 32 * 1024 }

  @usableFromInline package let base: UnsafeMutableRawPointer
  package let capacity: Int
  package let layout: RowLayout
  package let store: StoreToken
  @usableFromInline let slotsOffset: Int
  @usableFromInline let columnCount: Int
  @exclusivity(unchecked) package private(set) var rowCount = 0

  /// Memory for `capacity` bytes, directory included.
  package init(capacity: Int, layout: RowLayout, store: StoreToken) {
    self.capacity = (capacity + 7) & ~7
    self.layout = layout
    self.store = store
    slotsOffset = layout.slotsOffset
    columnCount = layout.columnCount
    base = .allocate(byteCount: self.capacity, alignment: 8)
    super.init()
  }

  deinit {
    for index in 0..<rowCount {
      let row = base + offset(ofRow: index)
      if let record = row.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee {
        Unmanaged<ObjectRecord>.fromOpaque(record).release()
      }
      for column in layout.objectColumns where !isNull(row, column) {
        slot(of: row, column).assumingMemoryBound(to: Unmanaged<AnyCell>.self).pointee.release()
      }
    }
    base.deallocate()
  }

  /// Enters a finished row into the directory.
  package func append(rowAt offset: Int) {
    rowCount += 1
    (base + capacity - rowCount * 4).storeBytes(
      of: UInt32(truncatingIfNeeded: offset), as: UInt32.self)
  }

  package func offset(ofRow index: Int) -> Int {
    Int((base + capacity - (index + 1) * 4).load(as: UInt32.self))
  }

  package func zIndex(ofRow offset: Int) -> Int64 {
    (base + offset + RowLayout.zIndexOffset).load(as: Int64.self)
  }

  @inlinable
  package func slot(of row: UnsafeMutableRawPointer, _ column: Int) -> UnsafeMutableRawPointer {
    row + (slotsOffset &+ column &* 8)
  }

  @inlinable
  package func isNull(_ row: UnsafeMutableRawPointer, _ column: Int) -> Bool {
    let word = (row + (RowLayout.nullsOffset &+ (column &>> 6) &* 8)).load(as: UInt64.self)
    return word &>> UInt64(column & 63) & 1 != 0
  }
}

extension RowChunk {
  /// A column's value; nil for NULL.
  @inlinable
  func load<Value: Magical & Sendable>(_ type: Value.Type, at location: UInt) -> Value? {
    let row = base + PropertyReference.row(location)
    let column = PropertyReference.column(location)
    if let record = magic_pointer_load(row.assumingMemoryBound(to: UnsafeRawPointer?.self)),
      let cell = Unmanaged<ObjectRecord>.fromOpaque(record)._withUnsafeGuaranteedRef({
        $0.cell(at: column)
      })
    {
      return unsafeDowncast(cell, to: Cell<Value>.self).load()
    }
    if isNull(row, column) { return nil }
    let slot = slot(of: row, column)
    if Value._packing == .object {
      return slot.assumingMemoryBound(to: Unmanaged<Cell<Value>>.self).pointee
        ._withUnsafeGuaranteedRef { $0.load() }
    }
    return Value._unpack(PackedValue(slot: slot, row: row))
  }

  /// The cell of a column that is about to change, holding the value as it is.
  @usableFromInline
  func cellForChange<Value: Magical & Sendable>(
    _ type: Value.Type, at location: UInt
  ) -> Cell<Value> {
    let offset = PropertyReference.row(location)
    let column = PropertyReference.column(location)
    let row = base + offset
    if Value._packing == .object, !isNull(row, column) {
      return slot(of: row, column).assumingMemoryBound(to: Unmanaged<Cell<Value>>.self).pointee
        .takeUnretainedValue()
    }
    let record = record(ofRow: offset)
    if let cell = record.cell(at: column) { return unsafeDowncast(cell, to: Cell<Value>.self) }
    let fetched =
      isNull(row, column)
      ? nil : Value._unpack(PackedValue(slot: slot(of: row, column), row: row))
    let cell = record.install(Cell<Value>(fetched, isChanged: false), at: column)
    return unsafeDowncast(cell, to: Cell<Value>.self)
  }

  /// The cell that holds a column's value; nil where it lies packed in the row.
  package func existingCell(_ packing: MagicalPacking, at location: UInt) -> AnyCell? {
    let offset = PropertyReference.row(location)
    let column = PropertyReference.column(location)
    if let cell = existingRecord(ofRow: offset)?.cell(at: column) { return cell }
    guard packing == .object, !isNull(base + offset, column) else { return nil }
    return slot(of: base + offset, column).assumingMemoryBound(to: Unmanaged<AnyCell>.self)
      .pointee.takeUnretainedValue()
  }

  /// The record of a row, made where there is none.
  package func record(ofRow offset: Int) -> ObjectRecord {
    ObjectRecord.inSlot(
      (base + offset).assumingMemoryBound(to: UnsafeRawPointer?.self),
      identity: fetchedIdentity(ofRow: offset), cellCount: columnCount)
  }

  /// The row as it was fetched.
  package func fetchedIdentity(ofRow offset: Int) -> RowIdentity {
    RowIdentity(store: store, zIndex: ZIndex(rawValue: zIndex(ofRow: offset)))
  }

  /// The row's record where it has one.
  package func existingRecord(ofRow offset: Int) -> ObjectRecord? {
    magic_pointer_load((base + offset).assumingMemoryBound(to: UnsafeRawPointer?.self))
      .map { Unmanaged<ObjectRecord>.fromOpaque($0).takeUnretainedValue() }
  }
}
