import CMagicRuntime
public import MagicRuntime

extension Cell {
  /// Takes the lock for a change, with the value in the cell and, where that is soon, without detached
  /// changes of others.
  @inlinable
  package final func lockForChange() {
    lock()
    if needsCare { prepareForChange() }
  }

  /// The place of the value. Used inside the lock.
  @inlinable
  final var place: UnsafeMutablePointer<Value?> {
    // A stored property of a class has one address.
    withUnsafeMutablePointer(to: &value) { $0 }
  }

  /// Called with the lock, and returns with it.
  @usableFromInline
  func prepareForChange() {
    while isDeferred {
      unlock()
      _ = deferredValue(isKept: true)
      lock()
    }
    if hasDetachedChanges { waitForDetachedChanges() }
  }

  /// Called without the lock.
  @usableFromInline
  func loadWithCare() -> Value? {
    refuseNestedUse()
    lock()
    let isDeferred = isDeferred
    let value = value
    unlock()
    return isDeferred ? deferredValue(isKept: false) : value
  }

  /// A change that may suspend; see ``InPlaceChange``.
  @usableFromInline @inline(never)
  func detachedChange() -> DetachedChange<Value> {
    lockForChange()
    defer { unlock() }
    return DetachedCellChange(of: self)
  }
}

extension AnyCell {
  /// Waits until detached changes have ended or are seen to be suspended. Called with the lock, and
  /// returns with it.
  @usableFromInline
  final func waitForDetachedChanges() {
    repeat {
      unlock()
      refuseNestedUse()
      let haveEnded = DetachedChanges.shared.waitForEnd(of: self)
      lock()
      guard haveEnded else { return }
    } while hasDetachedChanges
  }

  /// Ends the process where the calling task uses a property inside its own detached change.
  final func refuseNestedUse() {
    if DetachedChanges.shared.includeOwn(of: self) { magic_lock_refuse_nested_use() }
  }
}
