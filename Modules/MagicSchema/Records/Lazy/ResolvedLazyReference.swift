/// What is behind a reference to a lazy value.
package enum ResolvedLazyReference {
  /// A value in memory, and the property that holds it, if one does.
  case box(AnyLazyBox, PropertyReference?)
  /// What the row of a property's object has.
  case row(PropertyReference)
  /// Nil.
  case null
}

extension LazyReference {
  /// More than this many steps from one property to another are a circle.
  private static let stepLimit = 64

  /// Goes from reference to reference.
  package func resolved() -> ResolvedLazyReference {
    var current = self
    var last: PropertyReference?
    for _ in 0..<Self.stepLimit {
      switch current {
      case .box(let box):
        guard let place = box.place else { return .box(box, nil) }
        current = .place(place)
      case .place(let place):
        last = place
        guard let propertyBox = place.lazyPropertyBox else {
          return place.isNullInRow ? .null : .row(place)
        }
        switch propertyBox.state {
        case .row: return .row(place)
        case .null: return .null
        case .given(.place(let other)): current = .place(other)
        case .given(.box(let box)):
          guard let moved = box.place else { return .box(box, place) }
          if moved.isSame(as: place) { return .row(place) }
          current = .place(moved)
        }
      }
    }
    return last.map { .row($0) } ?? .null
  }
}
