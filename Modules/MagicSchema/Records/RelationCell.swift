import MagicRuntime

/// The cell of a property that leads to other objects.
@usableFromInline
package final class RelationCell<Value: Sendable>: Cell<Value> {
  private let declaration: PropertyOrigin?

  /// A collection's members as they were fetched or saved last; nil where it never was. Guarded by
  /// the lock.
  @exclusivity(unchecked) package var links: LinkSlice?

  /// The row that a to-one led to when it was fetched or saved last. Guarded by the lock.
  @exclusivity(unchecked) package var target: Int64?

  /// Makes the value of a cell that was loosened. Guarded by the lock.
  @exclusivity(unchecked) private var remake: (() -> Value?)?

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

  /// Lets go of a value that keeps the graph which keeps the cell, and makes it anew when it is
  /// read. A value that was changed since it was saved stays.
  ///
  /// - Parameter remaker: gives what makes the value without keeping the graph; nil where the value
  ///   does not keep it.
  func loosen(_ remaker: (Value) -> (() -> Value?)?) {
    let old = withLock { () -> Value? in
      guard !isChanged, !isDeferred, let kept = value, let made = remaker(kept) else { return nil }
      remake = made
      value = nil
      isDeferred = true
      return kept
    }
    withExtendedLifetime(old) {}
  }

  /// The value, also of a deferred cell. Called inside `withLock`.
  var present: Value? { isDeferred ? deferredValue() : value }

  override var origin: PropertyOrigin? { declaration }

  @usableFromInline
  override func deferredValue() -> Value? {
    if let remake { return remake() }
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
