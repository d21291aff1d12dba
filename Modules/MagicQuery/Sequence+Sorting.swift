public import MagicExpressions
public import MagicSchema

/// Objects that are in memory, in the order of a property.
extension Sequence where Element: MagicObject {
  /// Returns the objects in the order of a property.
  ///
  /// ```swift
  /// let byName = everyone.sorted(by: \.name)
  /// ```
  ///
  /// The property of each object is read once. `sorted { $0.name < $1.name }` has the same result as the
  /// ascending order, but copies two objects for each comparison, which takes several times as long. Objects with equal values keep
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
    sorted(order) { $0[keyPath: property] }
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
    sorted(order) { NilFirst(value: $0[keyPath: property]) }
  }

  /// Sorts the values of the objects with their indexes, because a copy of an object retains the storage of each
  /// property.
  @inlinable
  func sorted<Key: Comparable>(_ order: MagicOrder, by key: (Element) -> Key) -> [Element] {
    let elements = Array(self)
    var keys: [(value: Key, index: Int)] = []
    keys.reserveCapacity(elements.count)
    for index in elements.indices { keys.append((key(elements[index]), index)) }
    // The sort is stable.
    switch order {
    case .ascending: keys.sort { $0.value < $1.value }
    case .descending: keys.sort { $1.value < $0.value }
    }
    return keys.map { elements[$0.index] }
  }
}

/// An optional value that is less than each other one if it is nil.
@usableFromInline
struct NilFirst<Value: Comparable>: Comparable {
  @usableFromInline let value: Value?

  @inlinable init(value: Value?) { self.value = value }

  @inlinable
  static func < (left: NilFirst, right: NilFirst) -> Bool {
    guard let value = right.value else { return false }
    return left.value.map { $0 < value } ?? true
  }
}
