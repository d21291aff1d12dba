import MagicRuntime

/// An in-place change of a property that may suspend.
///
/// It changes a copy of the value. Until the change ends, the property has the value from before
/// the change:
///
/// - Other tasks read and save that value.
/// - Other tasks that set or change the property wait for a moment, because most changes end
///   immediately. Then they continue with the value from before. If two changes overlap, the one
///   that ends last replaces the result of the other.
/// - The task itself must not use the property before the change has ended: a save throws, and
///   every other use ends the process.
@usableFromInline
package class AnyDetachedChange {
  let task = CurrentTask.identifier
  let thread = CurrentThread.identifier
  let start = CurrentThread.time
  /// Whether the change has moved the value out and left an older copy in the box; see
  /// ``ChangeHistory``.
  let hasMovedValue: Bool
  /// Whether other tasks no longer wait for the change. Guarded by the lock of ``DetachedChanges``.
  @exclusivity(unchecked) var isSkipped = false

  init(hasMovedValue: Bool) { self.hasMovedValue = hasMovedValue }

  /// Stores the changed copy in the property.
  func end() {}
}

/// A detached change of a property with values of one type.
@usableFromInline
package class DetachedChange<Value: Sendable>: AnyDetachedChange {
  /// A pointer to the copy that is changed.
  @usableFromInline let place: UnsafeMutablePointer<Value?>

  init(_ value: Value?, hasMovedValue: Bool) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
    super.init(hasMovedValue: hasMovedValue)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}
