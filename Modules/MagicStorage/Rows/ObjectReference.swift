import CMagicRuntime

/// A reference to the magic properties of an object in memory, independent of the object's type.
/// Valid as long as the object.
@usableFromInline
package struct ObjectReference {
  /// The address that the offsets of the properties are relative to.
  @usableFromInline package let base: UnsafeRawPointer
  @usableFromInline package let type: _TypeLayout

  /// - Parameter instance: a pointer to the object, for example in an array or a variable.
  @inline(__always)
  package init(instance: UnsafeRawPointer, schema type: _TypeLayout) {
    base = type.isClass ? instance.load(as: UnsafeRawPointer.self) : instance
    self.type = type
  }

  /// - Parameter base: ``base`` of another reference to the object.
  package init(base: UnsafeRawPointer, schema type: _TypeLayout) {
    self.base = base
    self.type = type
  }

  /// Returns a pointer to a property. The collections follow the columns.
  @inlinable @inline(__always)
  package func place(_ column: Int) -> UnsafePointer<PropertyReference> {
    (base + type.offsets[column]).assumingMemoryBound(to: PropertyReference.self)
  }

  /// Prefetches the memory of the object's values, for a loop that will process the object soon.
  @inline(__always)
  package func prefetch() {
    for offset in type.offsets {
      magic_prefetch(
        (base + offset).assumingMemoryBound(to: UnsafeRawPointer?.self).pointee)
    }
  }

  /// Returns a property. The collections follow the columns.
  @inlinable @inline(__always)
  package func property(_ column: Int) -> PropertyReference { place(column).pointee }

  /// The identity of the object's row; nil if the object is unsaved.
  package var identity: RowIdentity? { lookUp { $0.identity } }

  /// Returns the identity, including the uncommitted changes of the open transaction of a store.
  package func identity(inTransactionOf store: StoreToken) -> RowIdentity? {
    lookUp { $0.identity(inTransactionOf: store) }
  }

  private func lookUp(_ identity: (ObjectRecord) -> RowIdentity?) -> RowIdentity? {
    if let record = existingRecord { return identity(record) }
    let first = place(0)
    return first.pointee.isBox ? nil : first.pointee.row.fetchedIdentity
  }

  /// The record of the object, if it has one.
  package var existingRecord: ObjectRecord? {
    let first = place(0)
    guard first.pointee.isBox else { return first.pointee.row.existingRecord }
    return firstBox._withUnsafeGuaranteedRef { $0.existingRecord }
  }

  /// The box of the first property, if it has one. The object retains the box, so no reference is
  /// counted.
  @inline(__always)
  private var firstBox: Unmanaged<AnyPropertyBox> {
    UnsafeRawPointer(place(0)).load(as: Unmanaged<AnyPropertyBox>.self)
  }

  /// The record of the object, which is created if it does not exist.
  package var record: ObjectRecord {
    let first = place(0)
    guard first.pointee.isBox else { return first.pointee.row.record }
    return firstBox._withUnsafeGuaranteedRef {
      ObjectRecord.inSlot($0.recordSlot, identity: nil, boxCount: 0)
    }
  }

  /// Returns the fetched row of the object, if the given graph retains it.
  package func row(in graph: PropertyStorage) -> PackedRow? {
    let first = property(0)
    return !first.isBox && first.storage === graph ? first.row : nil
  }

  /// A value that all copies of one instance share, and that no other object in memory has.
  package var instanceKey: UInt {
    let first = place(0)
    return UInt(
      bitPattern: first.pointee.isBox
        ? firstBox.toOpaque() : first.pointee.row.address)
  }
}
