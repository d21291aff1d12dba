public import MagicExpressions
public import MagicSchema

/// Objects that are in memory, in the order of a property.
extension Sequence where Element: MagicObject {
  /// Returns the objects in the order of a property.
  ///
  /// ```swift
  /// let byName = people.sorted(by: \.name)
  /// ```
  ///
  /// The property of each object is read once. `sorted { $0.name < $1.name }` has the same result, but copies
  /// two objects for each comparison, which takes several times as long. Objects with equal values keep
  /// their order. The values are compared as in Swift; `order(by:)` of a query compares texts by their bytes.
  ///
  /// - Parameters:
  ///   - property: the property, or a value that is computed from properties.
  ///   - order: the direction of the order.
  /// - Complexity: O(*n* log *n*) comparisons of values, and O(*n*) reads of the property.
  @inlinable
  public func sorted<Value: Comparable>(
    by property: KeyPath<Element, Value>, _ order: MagicOrder = .ascending
  ) -> [Element] {
    sorted(by: { $0[keyPath: property] }, order) { $0 < $1 }
  }

  /// Returns the objects in the order of an optional property: nil is less than each value.
  ///
  /// - Parameters:
  ///   - property: the property, or a value that is computed from properties.
  ///   - order: the direction of the order.
  /// - Complexity: O(*n* log *n*) comparisons of values, and O(*n*) reads of the property.
  @inlinable
  public func sorted<Value: Comparable>(
    by property: KeyPath<Element, Value?>, _ order: MagicOrder = .ascending
  ) -> [Element] {
    sorted(by: { $0[keyPath: property] }, order) { left, right in
      guard let right else { return false }
      return left.map { $0 < right } ?? true
    }
  }

  @inlinable
  func sorted<Value>(
    by value: (Element) -> Value, _ order: MagicOrder, isLess: (Value, Value) -> Bool
  ) -> [Element] {
    let elements = Array(self)
    var keys = elements.enumerated().map { (value: value($0.element), index: $0.offset) }
    // The sort is stable.
    switch order {
    case .ascending: keys.sort { isLess($0.value, $1.value) }
    case .descending: keys.sort { isLess($1.value, $0.value) }
    }
    return keys.map { elements[$0.index] }
  }
}
