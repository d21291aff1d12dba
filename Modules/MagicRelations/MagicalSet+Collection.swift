import MagicSchema

extension MagicalSet: RandomAccessCollection {
  /// The index of the first element: 0.
  public var startIndex: Int { 0 }
  /// The index after the last element.
  public var endIndex: Int { members.count }
  /// Returns the element at an index.
  public subscript(position: Int) -> Element { members[position] }
}

extension MagicalSet: ExpressibleByArrayLiteral {
  /// Creates a set with the given objects. If several of them are the same object, the set contains
  /// the last one.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MagicalSet {
  /// Inserts objects in order.
  public mutating func insert(contentsOf objects: some Sequence<Element>) {
    for object in objects { insert(object) }
  }

  /// Removes objects.
  public mutating func subtract(_ objects: some Sequence<Element>) {
    for object in objects where !isEmpty { remove(object) }
  }
}

extension MagicalSet: CustomStringConvertible, CustomDebugStringConvertible {
  /// The row IDs of the elements; "–" for an unsaved element.
  ///
  /// The values of the elements are omitted, because objects whose sets contain each other would
  /// recurse without end.
  public var description: String {
    "[\(map { $0.zIndex?.description ?? "–" }.joined(separator: ", "))]"
  }

  /// The type and the description.
  public var debugDescription: String { "MagicalSet<\(Element.self)>(\(description))" }
}
