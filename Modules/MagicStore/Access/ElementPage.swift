/// Elements that were read together, and are handed out one by one.
///
/// The iterators that read pages have a `next()` of their own each, in a few equal lines: inlined
/// where the elements' type is known it makes no call between two pages.
@usableFromInline
package struct ElementPage<Element> {
  /// Those that are left: the next one last, so that it is moved out, not copied.
  @usableFromInline var left: [Element]

  /// A page without elements.
  package init() { left = [] }

  @inlinable
  package init(_ elements: consuming [Element]) {
    left = elements
    left.reverse()
  }

  /// The next one; nil where all were handed out.
  @inlinable
  package mutating func next() -> Element? { left.popLast() }
}
