import CMagicRuntime
public import MagicRuntime

extension PropertyBox {
  /// Takes the lock for a change. Afterwards the value is in the box. The function has waited for
  /// the detached changes of other tasks, except for those that are suspended.
  @inlinable
  package final func lockForChange() {
    lock()
    if needsSlowPath { prepareForChange() }
  }

  /// A pointer to the value. Used while the lock is held.
  @inlinable
  final var place: UnsafeMutablePointer<Value?> {
    // The address of a stored property of a class instance never changes.
    withUnsafeMutablePointer(to: &value) { $0 }
  }

  /// Creates a deferred value and waits for detached changes. Called with the lock held, which is
  /// also held on return.
  @usableFromInline
  func prepareForChange() {
    while true {
      if hasDetachedChanges { waitForDetachedChanges(onlyMoved: false) }
      // Another task may have reverted the property while this one waited.
      guard isDeferred, !isExcluded else { return }
      unlock()
      _ = deferredValue(isKept: true)
      lock()
    }
  }

  /// Returns the value of a box that is deferred or has detached changes. Called without the lock.
  @usableFromInline
  func loadOnSlowPath() -> Value? {
    lock()
    if hasDetachedChanges { waitForDetachedChanges(onlyMoved: true) }
    guard isDeferred else {
      defer { unlock() }
      return value
    }
    unlock()
    return deferredValue(isKept: false)
  }

  /// Returns the value that other tasks can see, for a property that is no relationship.
  ///
  /// - Parameter marking: is called while the lock is held.
  @inlinable
  package final func load(marking: (AnyPropertyBox) -> Void) -> Value? {
    lockPresentValue()
    marking(self)
    let present = value
    unlockPresentValue()
    return present
  }

  /// Takes the lock to read the value that other tasks can see. ``unlockPresentValue()`` must follow.
  ///
  /// There is no closure: one that returns a value of a generic type would look up its metadata on
  /// each call.
  @inlinable
  package final func lockPresentValue() {
    lock()
    if hasDetachedChanges { waitForDetachedChanges(onlyMoved: true) }
  }

  @inlinable
  package final func unlockPresentValue() {
    let hasHistory = hasChangeHistory
    unlock()
    if hasHistory { dropOldCopy() }
  }

  /// Begins a change that may suspend; see ``InPlaceChange``.
  @usableFromInline @inline(never)
  func detachedChange() -> DetachedChange<Value> {
    lockForChange()
    defer { unlock() }
    return DetachedBoxChange(of: self)
  }
}

extension AnyPropertyBox {
  /// Waits until detached changes have ended or are found to be suspended. Called with the lock
  /// held, which is also held on return.
  ///
  /// - Parameter onlyMoved: whether to wait only for changes that have moved the value out.
  @usableFromInline
  package final func waitForDetachedChanges(onlyMoved: Bool) {
    repeat {
      unlock()
      refuseNestedUse()
      let haveEnded = DetachedChanges.shared.waitForEnd(of: self, onlyMoved: onlyMoved)
      lock()
      guard haveEnded else {
        if DetachedChanges.shared.includeMoved(of: self) { StaleReads.record() }
        return
      }
      // Another change may have begun meanwhile.
    } while hasDetachedChanges
      && (!onlyMoved || DetachedChanges.shared.includeMoved(of: self))
  }

  /// Releases the copy in the change history if it is too old to be used. Called without the lock.
  @usableFromInline
  package final func dropOldCopy() {
    let copy = withLock {
      hasChangeHistory ? DetachedChanges.shared.history(of: self)?.dropSnapshot() : nil
    }
    withExtendedLifetime(copy) {}
  }

  /// Ends the process if the calling task uses a property inside its own detached change.
  final func refuseNestedUse() {
    if DetachedChanges.shared.includeOwn(of: self) { magic_lock_refuse_nested_use() }
  }
}

/// The value that the property had when its object was last fetched or saved.
extension AnyPropertyBox {
  /// Marks the property as unchanged, because a save has captured its value. Called with the lock
  /// held.
  ///
  /// - Returns: the value that was saved before, which a rollback restores; see
  ///   ``undoSave(_:)``.
  @inlinable @inline(__always)
  package final func markSaved() -> SavedValue? {
    // One access to the flags for each property of an object that is saved.
    let flags = header.pointee.flags
    header.pointee.flags = flags & ~(Flag.isChanged | Flag.hasFetchedValue)
    return flags & SavedKind.mask == SavedKind.none ? nil : takeSavedValue()
  }

  /// Marks the property as changed again, because the save was rolled back.
  ///
  /// - Parameter saved: the result of ``markSaved()``.
  package final func undoSave(_ saved: SavedValue?) {
    let old = withLock { () -> SavedValue? in
      isChanged = true
      defer { savedValue = saved }
      return takeSavedValue()
    }
    withExtendedLifetime(old) {}
  }
}
