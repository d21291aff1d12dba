import CMagicRuntime

/// An object's magic properties in its memory, whatever its type. Valid while the object is.
@usableFromInline
package struct ObjectReference {
  /// Where the object's properties lie.
  @usableFromInline package let base: UnsafeRawPointer
  @usableFromInline package let type: TypeLayout

  /// - Parameter instance: the object, as it lies in an array or a variable.
  @inline(__always)
  package init(instance: UnsafeRawPointer, schema type: TypeLayout) {
    base = type.isClass ? instance.load(as: UnsafeRawPointer.self) : instance
    self.type = type
  }

  /// - Parameter base: ``base`` of another reference to the object.
  package init(base: UnsafeRawPointer, schema type: TypeLayout) {
    self.base = base
    self.type = type
  }

  /// Where a property lies; collections come behind the columns.
  @inlinable @inline(__always)
  package func place(_ column: Int) -> UnsafePointer<PropertyReference> {
    (base + type.offsets[column]).assumingMemoryBound(to: PropertyReference.self)
  }

  /// Begins to fetch the memory of the object's values, for a loop that will come to it soon.
  @inline(__always)
  package func prefetch() {
    for offset in type.offsets {
      magic_prefetch(
        (base + offset).assumingMemoryBound(to: UnsafeRawPointer?.self).pointee)
    }
  }

  /// A property; collections come behind the columns.
  @inlinable @inline(__always)
  package func property(_ column: Int) -> PropertyReference { place(column).pointee }

  /// The row the object is; nil while it is unsaved.
  package var identity: RowIdentity? { lookUp { $0.identity } }

  /// Like ``identity``, with what the transaction of a store that is under way has done.
  package func identity(inTransactionOf store: StoreToken) -> RowIdentity? {
    lookUp { $0.identity(inTransactionOf: store) }
  }

  private func lookUp(_ identity: (ObjectRecord) -> RowIdentity?) -> RowIdentity? {
    if let record = existingRecord { return identity(record) }
    let first = place(0)
    return first.pointee.isBox ? nil : first.pointee.row.fetchedIdentity
  }

  /// The object's record where it has one.
  package var existingRecord: ObjectRecord? {
    let first = place(0)
    guard first.pointee.isBox else { return first.pointee.row.existingRecord }
    return firstBox._withUnsafeGuaranteedRef { $0.existingRecord }
  }

  /// The box of the first property, where it has one. The object keeps it: no reference is counted.
  @inline(__always)
  private var firstBox: Unmanaged<AnyPropertyBox> {
    UnsafeRawPointer(place(0)).load(as: Unmanaged<AnyPropertyBox>.self)
  }

  /// The object's record, made where there is none.
  package var record: ObjectRecord {
    let first = place(0)
    guard first.pointee.isBox else { return first.pointee.row.record }
    return firstBox._withUnsafeGuaranteedRef {
      ObjectRecord.inSlot($0.recordSlot, identity: nil, boxCount: 0)
    }
  }

  /// The fetched row the object is, where a graph keeps it.
  func row(in graph: PropertyStorage) -> PackedRow? {
    let first = property(0)
    return !first.isBox && first.storage === graph ? first.row : nil
  }

  /// What copies of one instance have in common, and no other living object has.
  package var instanceKey: UInt {
    let first = place(0)
    return UInt(
      bitPattern: first.pointee.isBox
        ? firstBox.toOpaque() : first.pointee.row.address)
  }
}
