import MagicRuntime

/// A detached change of a property with a box.
final class DetachedBoxChange<Value: Sendable>: DetachedChange<Value> {
  private let box: PropertyBox<Value>

  /// Called with the box's lock.
  init(of box: PropertyBox<Value>) {
    self.box = box
    let snapshot =
      box.hasChangeHistory && !box.hasDetachedChanges
      ? DetachedChanges.shared.history(of: box)?.takeSnapshot(Value.self) : nil
    super.init(snapshot ?? box.presentValue, hasTaken: snapshot != nil)
    if snapshot != nil { swap(&box.value, &place.pointee) }
    box.hasDetachedChanges = true
    DetachedChanges.shared.enter(self, of: box)
  }

  override func end() {
    box.lock()
    swap(&box.value, &place.pointee)
    box.isChanged = true
    box.isDeferred = false
    box.hasDetachedChanges = DetachedChanges.shared.leave(self, of: box)
    let history =
      box.hasChangeHistory
      ? DetachedChanges.shared.history(of: box) : beginHistory()
    let snapshot = history?.note(self, before: place.pointee)
    box.unlock()
    // Old values end outside the lock: that in the place with this object.
    withExtendedLifetime(snapshot) {}
  }

  /// A history that begins with this change, if its copy took long.
  private func beginHistory() -> ChangeHistory? {
    guard let history = ChangeHistory(after: self) else { return nil }
    DetachedChanges.shared.keep(history, of: box)
    box.hasChangeHistory = true
    return history
  }
}
