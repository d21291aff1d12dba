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
  /// Whether the box has an earlier value than that from before the change; see ``ChangeHistory``.
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
