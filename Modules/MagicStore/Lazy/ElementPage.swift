/// Elements that were read together, and are handed out one by one.
@usableFromInline
package struct ElementPage<Element> {
  @usableFromInline var elements: [Element]
  @usableFromInline var place = 0

  package init(_ elements: [Element] = []) { self.elements = elements }

  package var isEmpty: Bool { elements.isEmpty }
  package var last: Element? { elements.last }

  /// The next one; nil where all were handed out.
  @inlinable
  package mutating func next() -> Element? {
    guard place < elements.count else { return nil }
    defer { place += 1 }
    return elements[place]
  }
}
