extension LazyPropertyBox {
  /// Assigns the value that a reference refers to.
  func assign(_ reference: LazyReference?, at place: PropertyReference) {
    let new: LazyPropertyBox.State
    switch reference?.resolved() {
    case nil: new = .null
    case .box(is AnyLazyEdits, let other?):
      if other.isSame(as: place) { return }
      new = .given(.place(other))
    case .box(let box, _): new = .given(.box(box))
    case .row(let other):
      if other.isSame(as: place) { return }
      new = .given(.place(other))
    case .null:
      guard let reference else { return }
      if case .place(let own) = reference, own.isSame(as: place) {
        // The property was set to nil before. Now it has the value in the row again.
        new = .row
      } else {
        new = .given(reference)
      }
    }
    assign(new)
  }
}

extension PropertyReference {
  /// Sets a lazy property.
  @usableFromInline @inline(never)
  package func setLazy<Value>(_ value: Value?) {
    lazyPropertyBoxForChange()?.assign((value as? any LazyValue)?.reference, at: self)
  }
}
