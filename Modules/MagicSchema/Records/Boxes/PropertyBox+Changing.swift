import CMagicRuntime
public import MagicRuntime

extension PropertyBox {
  /// Takes the lock for a change, with the value in the box and, where that is soon, without detached
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
    if hasDetachedChanges { waitForDetachedChanges(taken: false) }
  }

  /// Called without the lock.
  @usableFromInline
  func loadWithCare() -> Value? {
    lock()
    if hasDetachedChanges { waitForDetachedChanges(taken: true) }
    let isDeferred = isDeferred
    let value = value
    unlock()
    return isDeferred ? deferredValue(isKept: false) : value
  }

  /// Runs the body with the lock, for a look at the value as others are to see it.
  package final func withPresentValue<Result>(_ body: () throws -> Result) rethrows -> Result {
    var hasHistory = false
    defer { if hasHistory { dropOldCopy() } }
    lock()
    defer { unlock() }
    if hasDetachedChanges { waitForDetachedChanges(taken: true) }
    hasHistory = hasChangeHistory
    return try body()
  }

  /// A change that may suspend; see ``InPlaceChange``.
  @usableFromInline @inline(never)
  func detachedChange() -> DetachedChange<Value> {
    lockForChange()
    defer { unlock() }
    return DetachedBoxChange(of: self)
  }
}

extension AnyPropertyBox {
  /// Waits until detached changes have ended or are seen to be suspended. Called with the lock, and
  /// returns with it.
  ///
  /// - Parameter taken: whether to wait only for those that have taken the value.
  @usableFromInline
  package final func waitForDetachedChanges(taken: Bool) {
    repeat {
      unlock()
      refuseNestedUse()
      let haveEnded = DetachedChanges.shared.waitForEnd(of: self, taken: taken)
      lock()
      guard haveEnded else {
        if DetachedChanges.shared.includeTaken(of: self) { EarlierValues.note() }
        return
      }
      // The next may have begun meanwhile.
    } while hasDetachedChanges
      && (!taken || DetachedChanges.shared.includeTaken(of: self))
  }

  /// Frees what is kept of earlier changes and too old to be used. Called without the lock.
  package final func dropOldCopy() {
    let copy = withLock {
      hasChangeHistory ? DetachedChanges.shared.history(of: self)?.dropSnapshot() : nil
    }
    withExtendedLifetime(copy) {}
  }

  /// Ends the process where the calling task uses a property inside its own detached change.
  final func refuseNestedUse() {
    if DetachedChanges.shared.includeOwn(of: self) { magic_lock_refuse_nested_use() }
  }
}
