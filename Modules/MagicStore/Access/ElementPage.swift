/// Elements that were read together and are returned one by one.
///
/// Each iterator that reads pages has its own `next()` with the same few lines. The compiler
/// inlines them in code that knows the element type, so no function is called between two page
/// reads.
@usableFromInline
package struct ElementPage<Element> {
  /// The remaining elements in reverse order, so that the next element is moved out and not copied.
  @usableFromInline var remaining: [Element]

  /// Creates an empty page.
  package init() { remaining = [] }

  @inlinable
  package init(_ elements: consuming [Element]) {
    remaining = Self.reversed(elements)
  }

  /// Reverses elements by moving them: `reverse()` copies them, with all their references.
  ///
  /// It is not inlined, so that `next()` of the iterators is.
  @inlinable @inline(never)
  static func reversed(_ elements: consuming [Element]) -> [Element] {
    elements.withUnsafeMutableBufferPointer { elements in
      guard var low = elements.baseAddress, elements.count > 1 else { return }
      var high = low + (elements.count - 1)
      while low < high {
        let element = low.move()
        low.moveInitialize(from: high, count: 1)
        high.initialize(to: element)
        low += 1
        high -= 1
      }
    }
    return elements
  }

  /// Throws in a cancelled task, for one of eight elements and at the end of the page. The check takes
  /// longer than returning an element.
  @inlinable
  package func checkCancellation() throws {
    if remaining.count & 7 == 0 { try Task.checkCancellation() }
  }

  /// Returns the next element, or nil at the end of the page.
  @inlinable
  package mutating func next() -> Element? { remaining.popLast() }
}
