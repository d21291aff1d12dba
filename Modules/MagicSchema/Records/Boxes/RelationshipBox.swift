import MagicRuntime

/// The box of a property that refers to other objects.
@usableFromInline
package final class RelationshipBox<Value: Sendable>: PropertyBox<Value> {
  private let declaration: PropertyOrigin?

  /// A collection's members as they were fetched or saved last; nil where it never was. Guarded by
  /// the lock.
  @exclusivity(unchecked) package var links: LinkSlice?

  /// The row that a to-one referred to when it was fetched or saved last. Guarded by the lock.
  @exclusivity(unchecked) package var target: Int64?

  /// Makes the value of a box whose value was released. Guarded by the lock.
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

  deinit {
    if let links, links.list.isFlat { return }
    DeferredRelease.release(&value)
    DeferredRelease.release(&remake)
  }

  override var origin: PropertyOrigin? { declaration }

  /// Releases a value that keeps the graph which keeps the box, and makes it again when it is
  /// read. A value that was changed since it was saved stays.
  ///
  /// - Parameter remaker: gives what makes the value without keeping the graph; nil where the value
  ///   does not keep it.
  func releaseRetainCycle(_ remaker: (Value) -> (() -> Value?)?) {
    guard let kept = withLock({ isChanged || isDeferred ? nil : value }),
      let made = remaker(kept)
    else { return }
    let old = withLock { () -> (Value?, (() -> Value?)?) in
      // Changed meanwhile: what was to be released is gone already.
      guard !isChanged, !isDeferred else { return (nil, nil) }
      defer {
        remake = made
        value = nil
        isDeferred = true
      }
      return (value, remake)
    }
    withExtendedLifetime((old, kept)) {}
  }

  @usableFromInline
  override func deferredValue(isKept: Bool) -> Value? {
    // Locked and unlocked by hand: closures that return a value of a generic type look its type up
    // every time.
    lock()
    let remake = self.remake
    let links = self.links
    unlock()
    let made: Value?
    var staysOut = false
    if let remake {
      made = remake()
      staysOut = true
    } else if let links {
      made = links.list.makeValue(of: links, as: Value.self)
      // Rows of a graph keep nothing they refer to, or they would be kept for ever.
      staysOut = links.list.staysInGraph
    } else {
      made = nil
    }
    guard isKept || !staysOut else { return made }
    lock()
    // Another thread may have been first, or have set another value.
    guard isDeferred else {
      defer { unlock() }
      return value
    }
    let old = self.remake
    value = made
    isDeferred = false
    self.remake = nil
    unlock()
    // What would have made it ends outside the lock.
    withExtendedLifetime(old) {}
    return made
  }
}

/// A box that was made for a relationship.
protocol RelationshipStorage {}

extension RelationshipBox: RelationshipStorage {}
