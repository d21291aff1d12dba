import MagicSchema

extension MagicalSet: RandomAccessCollection {
  /// Where the elements begin: 0.
  public var startIndex: Int { 0 }
  /// Where the elements end.
  public var endIndex: Int { members.count }
  /// The element at a place.
  public subscript(position: Int) -> Element { members[position] }
}

extension MagicalSet: ExpressibleByArrayLiteral {
  /// The objects in brackets; of those that are the same object the last.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MagicalSet {
  /// Puts objects into the set, one after the other.
  public mutating func insert(contentsOf objects: some Sequence<Element>) {
    for object in objects { insert(object) }
  }

  /// Takes objects out of the set.
  public mutating func subtract(_ objects: some Sequence<Element>) {
    for object in objects where !isEmpty { remove(object) }
  }
}

extension MagicalSet: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements by their z-indexes; "–" stands for an unsaved one.
  ///
  /// Their values are left out: objects whose sets hold each other would have no end.
  public var description: String {
    "[\(map { $0.zIndex?.description ?? "–" }.joined(separator: ", "))]"
  }

  /// The same with the type.
  public var debugDescription: String { "MagicalSet<\(Element.self)>(\(description))" }
}
