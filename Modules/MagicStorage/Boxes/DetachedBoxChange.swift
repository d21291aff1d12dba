import MagicRuntime

/// A detached change of a property whose value is in a box.
final class DetachedBoxChange<Value: Sendable>: DetachedChange<Value> {
  private let box: PropertyBox<Value>

  /// Begins the change. Called with the lock of the box held.
  init(of box: PropertyBox<Value>) {
    self.box = box
    let snapshot =
      box.hasChangeHistory && !box.hasDetachedChanges && box.isChanged
      ? DetachedChanges.shared.history(of: box)?.takeSnapshot(Value.self) : nil
    super.init(snapshot ?? box.presentValue, hasMovedValue: snapshot != nil)
    if snapshot != nil { swap(&box.value, &place.pointee) }
    box.hasDetachedChanges = true
    DetachedChanges.shared.insert(self, of: box)
  }

  override func end() {
    box.lock()
    if !box.isChanged { box.keepSavedValue() }
    swap(&box.value, &place.pointee)
    box.markAssigned()
    box.isDeferred = false
    box.hasDetachedChanges = DetachedChanges.shared.remove(self, of: box)
    let history =
      box.hasChangeHistory
      ? DetachedChanges.shared.history(of: box) : beginHistory()
    let snapshot = history?.note(self, before: place.pointee)
    box.unlock()
    // Old values are released after unlocking. The value in the copy's memory is released with this
    // object.
    withExtendedLifetime(snapshot) {}
  }

  /// Returns a history that begins with this change, if copying the value took long.
  private func beginHistory() -> ChangeHistory? {
    guard let history = ChangeHistory(after: self) else { return nil }
    DetachedChanges.shared.keep(history, of: box)
    box.hasChangeHistory = true
    return history
  }
}
