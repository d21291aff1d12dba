import MagicRuntime

/// A change of a property that may suspend.
///
/// It works on a copy of the value. Until it ends, the property has the value from before it:
///
/// - Other tasks read and save that value.
/// - Other tasks that set the property, or change it too, wait for a moment, since most changes end at
///   once. Then they go on with the value from before; of two changes the one that ends last is kept.
/// - The task itself may not use the property before the change has ended: a verb throws, other uses
///   end the process.
@usableFromInline
class AnyDetachedChange {
  let task = CurrentTask.identifier
  let thread = CurrentThread.identifier
  let start = CurrentThread.time
  /// Whether the cell has an earlier value than that from before the change; see ``ChangeHistory``.
  let hasTaken: Bool
  /// Whether others wait for it no more. Guarded by the lock of ``DetachedChanges``.
  @exclusivity(unchecked) var isPassedOver = false

  init(hasTaken: Bool) { self.hasTaken = hasTaken }

  /// Puts the changed copy into its place.
  func end() {}
}

/// The same for a property of one type.
@usableFromInline
class DetachedChange<Value: Sendable>: AnyDetachedChange {
  /// Where the value is that is changed.
  @usableFromInline let place: UnsafeMutablePointer<Value?>

  init(_ value: Value?, hasTaken: Bool) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
    super.init(hasTaken: hasTaken)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}

/// A detached change of a property with a cell.
final class DetachedCellChange<Value: Sendable>: DetachedChange<Value> {
  private let cell: Cell<Value>

  /// Called with the cell's lock.
  init(of cell: Cell<Value>) {
    self.cell = cell
    let snapshot =
      cell.hasChangeHistory && !cell.hasDetachedChanges
      ? DetachedChanges.shared.history(of: cell)?.takeSnapshot(Value.self) : nil
    super.init(snapshot ?? cell.presentValue, hasTaken: snapshot != nil)
    if snapshot != nil { swap(&cell.value, &place.pointee) }
    cell.hasDetachedChanges = true
    DetachedChanges.shared.enter(self, of: cell)
  }

  override func end() {
    cell.lock()
    swap(&cell.value, &place.pointee)
    cell.isChanged = true
    cell.isDeferred = false
    cell.hasDetachedChanges = DetachedChanges.shared.leave(self, of: cell)
    let history =
      cell.hasChangeHistory
      ? DetachedChanges.shared.history(of: cell) : ChangeHistory.begin(after: self, of: cell)
    let snapshot = history?.note(self, before: place.pointee)
    cell.unlock()
    // Old values end outside the lock: that in the place with this object.
    withExtendedLifetime(snapshot) {}
  }
}

/// A change in place of a lazy property, whose value is a way to its content. It is read, changed and
/// set.
final class LazyChange<Value: Sendable>: DetachedChange<Value> {
  private let property: PropertyReference

  init(of property: PropertyReference) {
    self.property = property
    super.init(property.lazyValue(Value.self), hasTaken: false)
  }

  override func end() { property.setLazy(place.pointee) }
}

extension PropertyReference {
  @usableFromInline
  func lazyChange<Value>(_ type: Value.Type) -> DetachedChange<Value> { LazyChange(of: self) }
}
