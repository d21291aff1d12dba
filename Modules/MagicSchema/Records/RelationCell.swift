/// The cell of a property that leads to other objects.
@usableFromInline
package final class RelationCell<Value: Sendable>: Cell<Value> {
  private let declaration: PropertyOrigin?

  /// A collection's members as they were fetched or saved last; nil where it never was. Guarded by
  /// the lock.
  @exclusivity(unchecked) package var links: LinkSlice?

  /// The row that a to-one led to when it was fetched or saved last. Guarded by the lock.
  @exclusivity(unchecked) package var target: Int64?

  @usableFromInline
  package init(_ value: Value?, isChanged: Bool) {
    declaration = nil
    super.init(value, isChanged: isChanged)
  }

  @usableFromInline
  package init(type: StaticString, file: StaticString, line: UInt) {
    declaration = PropertyOrigin(typeName: type.utf8Start, file: file.utf8Start)
    super.init(nil, isChanged: true, line: line)
  }

  /// A fetched collection, whose value is made when it is read.
  package init(links: LinkSlice) {
    declaration = nil
    super.init(nil, isChanged: false)
    self.links = links
    isDeferred = true
  }

  deinit { Ending.end(&value) }

  override var origin: PropertyOrigin? { declaration }

  @usableFromInline
  override func deferredValue() -> Value? {
    guard let links, let made = links.list.column.makeValue(of: links, as: Value.self) else {
      return nil
    }
    // Rows of a graph keep nothing they lead to, or they would be kept for ever.
    if !links.list.column.staysInGraph {
      value = made
      isDeferred = false
    }
    return made
  }
}
