/// The location of a lazy value, after all references were followed.
package enum ResolvedLazyReference {
  /// A value in memory, and the property that refers to it, if there is one.
  case box(AnyLazyBox, PropertyReference?)
  /// The value in the row of a property's object.
  case row(PropertyReference)
  /// Nil.
  case null
}

extension LazyReference {
  /// The maximum number of references from property to property. A longer chain is a cycle.
  private static let stepLimit = 64

  /// Follows the references from property to property.
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
