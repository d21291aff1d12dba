import MagicRuntime

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
      ? DetachedChanges.shared.history(of: cell) : beginHistory()
    let snapshot = history?.note(self, before: place.pointee)
    cell.unlock()
    // Old values end outside the lock: that in the place with this object.
    withExtendedLifetime(snapshot) {}
  }

  /// A history that begins with this change, if its copy took long.
  private func beginHistory() -> ChangeHistory? {
    guard let history = ChangeHistory(after: self) else { return nil }
    DetachedChanges.shared.keep(history, of: cell)
    cell.hasChangeHistory = true
    return history
  }
}
