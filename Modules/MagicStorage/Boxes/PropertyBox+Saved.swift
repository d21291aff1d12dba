import MagicRuntime

/// The value that a property had when its object was last fetched or saved.
extension PropertyBox {
  /// Gives a changed property its saved value again.
  ///
  /// - Parameter fetched: the value in the fetched row, if it may be the saved one.
  func revert(toFetched fetched: PropertyBox<Value>?) {
    lock()
    if hasDetachedChanges { waitForDetachedChanges(onlyMoved: false) }
    let old = makeCopy()
    let kept = isChanged ? takeSavedValue() : nil
    if isChanged {
      if let saved = box(with: kept) ?? makeCopyOfLinks() ?? fetched {
        assumeValue(of: saved)
        isChanged = false
      }
    }
    unlock()
    // Values are released after unlocking, because releasing them may run code of the user.
    withExtendedLifetime((old, kept)) {}
  }

  /// Returns a box with the saved value of a changed property.
  ///
  /// - Parameter fetched: as for ``revert(toFetched:)``.
  func savedCopy(fetched: PropertyBox<Value>?) -> PropertyBox<Value>? {
    withLock {
      guard isChanged else { return makeCopy() }
      return box(with: savedValue) ?? makeCopyOfLinks() ?? fetched
    }
  }

  /// Gives the property the value of its row, which was just fetched, and marks it as unchanged.
  ///
  /// - Returns: an action that restores the previous state. It keeps a value that the program has
  ///   set meanwhile.
  package func replace(by fetched: PropertyBox<Value>) -> UndoAction {
    lock()
    if hasDetachedChanges { waitForDetachedChanges(onlyMoved: false) }
    let before = makeCopy()
    let saved = takeSavedValue()
    assumeValue(of: fetched)
    assumeLinks(of: fetched)
    isChanged = false
    hasFetchedValue = false
    unlock()
    return UndoAction { self.undoReplacement(before, saved) }
  }

  private func undoReplacement(_ before: PropertyBox<Value>, _ saved: SavedValue?) {
    lock()
    let old = (makeCopy(), takeSavedValue())
    if isChanged {
      savedValue = before.isChanged ? saved : before.makeSavedCopy().map(SavedValue.box)
    } else {
      assumeValue(of: before)
      isChanged = before.isChanged
      savedValue = saved
    }
    assumeLinks(of: before)
    unlock()
    withExtendedLifetime(old) {}
  }
}
