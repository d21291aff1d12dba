/// Elements that were read together and are returned one by one.
///
/// Each iterator that reads pages has its own `next()` with the same few lines. Inlining them in
/// code that has the concrete element type avoids all calls between two page reads.
@usableFromInline
package struct ElementPage<Element> {
  /// The remaining elements in reverse order, so that the next element is moved out and not copied.
  @usableFromInline var left: [Element]

  /// Creates an empty page.
  package init() { left = [] }

  @inlinable
  package init(_ elements: consuming [Element]) {
    left = elements
    left.reverse()
  }

  /// Returns the next element, or nil at the end of the page.
  @inlinable
  package mutating func next() -> Element? { left.popLast() }
}
