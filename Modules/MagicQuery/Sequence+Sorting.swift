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
  /// ascending order, but copies two objects for each comparison, which takes several times as long. Objects
  /// with equal values keep their order. The values are compared as in Swift; `order(by:)` of a query
  /// compares texts by their bytes.
  ///
  /// - Parameters:
  ///   - property: the property, or a value that is computed from properties.
  ///   - order: the direction of the order.
  /// - Complexity: O(*n* log *n*) comparisons of values, and O(*n*) reads of the property.
  @inlinable
  public func sorted<Value: Comparable>(
    by property: KeyPath<Element, Value>, _ order: MagicOrder = .ascending
  ) -> [Element] {
    let elements = Array(self)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for index in elements.indices { values.append(elements[index][keyPath: property]) }
    return sortedIndexes(of: values, order).map { elements[$0] }
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
    let elements = Array(self)
    var values: [Value] = []
    var (withValue, withoutValue): ([Int], [Int]) = ([], [])
    values.reserveCapacity(elements.count)
    withValue.reserveCapacity(elements.count)
    for index in elements.indices {
      if let value = elements[index][keyPath: property] {
        values.append(value)
        withValue.append(index)
      } else {
        withoutValue.append(index)
      }
    }
    let sorted = sortedIndexes(of: values, order).map { withValue[$0] }
    let indexes = order == .ascending ? withoutValue + sorted : sorted + withoutValue
    return indexes.map { elements[$0] }
  }
}

/// Returns the indexes of the values, sorted by value. Equal values keep their order.
///
/// The values are sorted with their indexes, because a copy of an object retains the storage of each property.
@inlinable
func sortedIndexes<Value: Comparable>(of values: [Value], _ order: MagicOrder) -> [Int] {
  if Value.self == String.self, let texts = values as? [String] {
    return TextSortKey.sortedIndexes(of: texts, order)
  }
  var pairs = values.enumerated().map { (value: $0.element, index: $0.offset) }
  pairs.sort(order) { $0.value < $1.value }
  return pairs.map(\.index)
}
