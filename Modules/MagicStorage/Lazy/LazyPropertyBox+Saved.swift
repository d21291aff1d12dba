import MagicRuntime

/// The location that the value had when the object was last fetched or saved: the row, or nil.
extension LazyPropertyBox {
  /// Gives a changed property its saved value again.
  package func revert() {
    let old = withLock { () -> (State, SavedValue?)? in
      guard isSet, let saved = savedValue?.box as? LazyPropertyBox else { return nil }
      isChanged = false
      return (replace(saved.savedState), takeSavedValue())
    }
    withExtendedLifetime(old) {}
  }

  /// Gives the property the value that its row, which was just fetched, contains.
  ///
  /// - Parameters:
  ///   - isNull: whether the row contains no value.
  ///   - target: the row that a to-one refers to.
  /// - Returns: an action that restores the previous state. It keeps a value that the program has
  ///   set meanwhile.
  package func replace(isNull: Bool, target: LazyTarget?) -> UndoAction {
    let undoTarget = note(target)
    setPreload(nil)
    let before = withLock { () -> Before in
      let before = Before(isSet: isSet, isChanged: isChanged, saved: takeSavedValue())
      isChanged = false
      return before.with(replace(isNull ? .null : .row))
    }
    return UndoAction {
      undoTarget.restore()
      self.undoReplacement(before)
    }
  }

  /// The state before a replacement.
  private struct Before {
    let isSet: Bool
    let isChanged: Bool
    let saved: SavedValue?
    var state = State.null

    func with(_ state: State) -> Before {
      var before = self
      before.state = state
      return before
    }
  }

  private func undoReplacement(_ before: Before) {
    let old = withLock { () -> (State?, SavedValue?) in
      let saved = takeSavedValue()
      if isSet {
        savedValue = before.isSet ? before.saved : .box(LazyPropertyBox(before.state))
        return (nil, saved)
      }
      isChanged = before.isChanged
      savedValue = before.saved
      return (replace(before.state), saved)
    }
    withExtendedLifetime(old) {}
  }
}
