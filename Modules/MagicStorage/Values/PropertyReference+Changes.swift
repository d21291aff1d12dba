import CMagicRuntime
import MagicRuntime
package import Magical

/// The state of properties in the memory of an object. The object owns their storage, so no
/// reference is counted.
extension UnsafePointer<PropertyReference> {
  /// The storage, which is the box of a property that has one.
  private var storage: UnsafeMutableRawPointer {
    UnsafeRawPointer(self).load(as: UnsafeMutableRawPointer.self)
  }

  /// Whether the value was set, or was assigned from an object whose first property is not `first`.
  package func isChanged(
    _ packing: _MagicalPacking, since first: UnsafePointer<PropertyReference>
  ) -> Bool {
    if pointee.isBox { return Unmanaged<AnyPropertyBox>.fromOpaque(storage).isChanged }
    let (row, column) = (pointee.row, pointee.column)
    if let record = magic_pointer_load(row.recordSlot),
      let box = Unmanaged<ObjectRecord>.fromOpaque(record)._withUnsafeGuaranteedRef({
        $0.unmanagedBox(at: column)
      })
    {
      return box.isChanged
    }
    if row.hasSlotBox(packing, column) { return row.unmanagedSlotBox(column).isChanged }
    // A wrapper that was assigned from another object refers to another row.
    return first.pointee.isBox || storage != first.storage || row != first.pointee.row
  }
}

extension Unmanaged<AnyPropertyBox> {
  fileprivate var isChanged: Bool {
    _withUnsafeGuaranteedRef { box in box.withLock { box.isChanged } }
  }
}
