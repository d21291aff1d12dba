extension LazyPropertyBox {
  /// Gives the property what another value refers to.
  func assign(_ reference: LazyReference?, at place: PropertyReference) {
    let new: LazyPropertyBox.State
    switch reference?.resolved() {
    case nil: new = .null
    case .box(let box, _): new = .given(.box(box))
    case .row(let other):
      if other.isSame(as: place) { return }
      new = .given(.place(other))
    case .null:
      guard let reference else { return }
      if case .place(let own) = reference, own.isSame(as: place) {
        // It was nil meanwhile: what the row has is there again.
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
  func setLazy<Value>(_ value: Value?) {
    lazyPropertyBoxForChange()?.assign((value as? any LazyValue)?.reference, at: self)
  }
}
