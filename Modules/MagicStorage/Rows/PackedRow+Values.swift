public import CMagicRuntime
public import Magical

extension PackedRow {
  /// Returns a property of the row, which retains the row.
  package func property(_ column: Int) -> PropertyReference {
    PropertyReference(
      storage: chunk.rootStorage, location: PropertyReference.location(row: self, column: column))
  }

  /// Returns the box in a slot that contains one.
  package func slotBox(_ column: Int) -> AnyPropertyBox {
    unmanagedSlotBox(column).takeUnretainedValue()
  }

  /// The same, without counting a reference.
  func unmanagedSlotBox(_ column: Int) -> Unmanaged<AnyPropertyBox> {
    slot(column).assumingMemoryBound(to: Unmanaged<AnyPropertyBox>.self).pointee
  }

  /// Whether the slot of a column contains a box.
  func hasSlotBox(_ packing: _MagicalPacking, _ column: Int) -> Bool {
    packing == .object && (column >= RowChunk.columnCount(of: self) || !isNull(column))
  }

  /// Stores a box in the slot of a collection. Called before objects are created from the row.
  package func fill(_ slot: Int, _ box: AnyPropertyBox) {
    self.slot(slot).storeBytes(
      of: Unmanaged.passRetained(box).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  /// Returns the value of a column; nil for NULL.
  @inlinable @inline(__always)
  func load<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value? {
    guard magic_pointer_load(recordSlot) == nil else { return loadRecorded(type, column) }
    return loadFetched(type, column)
  }

  /// Returns the value of a column of a row that has a record. Not inlined, so that the usual read
  /// of a fetched value calls no function and saves no registers.
  @inlinable @inline(never)
  func loadRecorded<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value? {
    guard let record = magic_pointer_load(recordSlot),
      let box = Unmanaged<ObjectRecord>.fromOpaque(record)._withUnsafeGuaranteedRef({
        $0.box(at: column)
      })
    else { return loadFetched(type, column) }
    return unsafeDowncast(box, to: PropertyBox<Value>.self).load()
  }

  /// Returns the value of a column in the row itself; nil for NULL.
  @inlinable @inline(__always)
  func loadFetched<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value? {
    if Value._packing == .object {
      // A collection is never NULL and has no NULL bit.
      if column < RowChunk.columnCount(of: self), isNull(column) { return nil }
      return slot(column).assumingMemoryBound(to: Unmanaged<PropertyBox<Value>>.self).pointee
        ._withUnsafeGuaranteedRef { $0.load() }
    }
    if isNull(column) { return nil }
    if Value.self == String.self { return unsafeBitCast(text(column), to: Value.self) }
    return Value._unpack(_MagicalPackedValue(slot: slot(column), row: address))
  }

  /// Returns the value of a column in the row itself, which is neither NULL nor in a box.
  func fetchedValue<Value: Magical & Sendable>(_ type: Value.Type, _ column: Int) -> Value {
    Value._unpack(_MagicalPackedValue(slot: slot(column), row: address))
  }

  /// Returns the box of a column that is to be changed. It initially contains the current value.
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
    return makeBoxForChange(type, column, in: record)
  }

  // A function of its own, because it looks up generic types, and a property that was changed before
  // has a box.
  @inline(never)
  private func makeBoxForChange<Value: Magical & Sendable>(
    _ type: Value.Type, _ column: Int, in record: ObjectRecord
  ) -> PropertyBox<Value> {
    let fetched = isNull(column) ? nil : fetchedValue(type, column)
    let box: PropertyBox<Value>
    if Value._packing == .link {
      let link = RelationshipBox<Value>(fetched, isChanged: false)
      link.target = isNull(column) ? nil : target(column).zIndex
      box = link
    } else {
      box = PropertyBox<Value>(fetched, isChanged: false)
    }
    box.hasFetchedValue = true
    return unsafeDowncast(record.install(box, at: column), to: PropertyBox<Value>.self)
  }

  /// Returns the box that contains the value of a column; nil if the value is packed in the row.
  package func existingBox(_ packing: _MagicalPacking, _ column: Int) -> AnyPropertyBox? {
    if let box = existingRecord?.box(at: column) { return box }
    return hasSlotBox(packing, column) ? slotBox(column) : nil
  }

  /// The record of the row, which is created if it does not exist.
  package var record: ObjectRecord {
    ObjectRecord.inSlot(
      recordSlot, identity: fetchedIdentity, boxCount: chunk.type.layout.boxCount)
  }

  /// The identity of the row when it was fetched.
  package var fetchedIdentity: RowIdentity {
    RowIdentity(store: chunk.store, zIndex: ZIndex(rawValue: zIndex))
  }

  /// The record of the row, if it has one.
  package var existingRecord: ObjectRecord? {
    magic_pointer_load(recordSlot).map {
      Unmanaged<ObjectRecord>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
