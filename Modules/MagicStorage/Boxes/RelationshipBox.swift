import MagicRuntime

/// The box of a property that refers to other objects.
@usableFromInline
package final class RelationshipBox<Value: Sendable>: PropertyBox<Value> {
  private let declaration: PropertyOrigin?

  /// The members of a collection as they were last fetched or saved; nil if they never were.
  /// Guarded by the lock.
  package var links: LinkSlice? { storedLinks }

  /// The row that a to-one referred to when it was last fetched or saved. Guarded by the lock.
  package var target: Int64? {
    get { storedTarget }
    set { storedTarget = newValue }
  }

  // Other modules ignore the attribute and would check the exclusivity of each access.
  @exclusivity(unchecked) private var storedLinks: LinkSlice?
  @exclusivity(unchecked) private var storedTarget: Int64?

  /// Recreates the value after it was released. Guarded by the lock.
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

  /// Creates the box of a fetched collection, whose value is created when it is read.
  package init(links: LinkSlice) {
    declaration = nil
    super.init(isChanged: false)
    storedLinks = links
    isDeferred = true
  }

  /// Creates a box of this class for a fetched collection.
  package override class func makeBox(of links: LinkSlice) -> AnyPropertyBox {
    RelationshipBox(links: links)
  }

  /// Creates the box of a relationship whose value is neither in memory nor known.
  ///
  /// - Parameter target: the row that a to-one refers to.
  package init(excludedTarget target: Int64?) {
    declaration = nil
    super.init(isChanged: false)
    storedTarget = target
    isDeferred = true
  }

  /// Creates the box of a collection whose value the closure creates when it is read.
  package convenience init(links: LinkSlice, remake: @escaping () -> Value?) {
    self.init(links: links)
    self.remake = remake
  }

  deinit {
    if let links, links.list.isFlat { return }
    releaseIteratively()
  }

  // A function of its own, because it looks up generic types, and the members of most boxes are flat.
  @inline(never)
  private func releaseIteratively() {
    // A deferred box has no value.
    if !isDeferred { DeferredRelease.release(&value) }
    DeferredRelease.release(&remake)
  }

  /// Sets ``links``, with the lock taken for it.
  ///
  /// - Returns: the previous links.
  package func replaceLinks(with links: LinkSlice?) -> LinkSlice? {
    lock()
    defer { unlock() }
    let before = storedLinks
    storedLinks = links
    return before
  }

  /// Sets ``target``, with the lock taken for it.
  ///
  /// - Returns: the previous target.
  package func replaceTarget(with target: Int64?) -> Int64? {
    lock()
    defer { unlock() }
    let before = storedTarget
    storedTarget = target
    return before
  }

  package override var origin: PropertyOrigin? { declaration }

  package override var isExcluded: Bool { isDeferred && links == nil && remake == nil }

  /// Releases a value that retains the graph which retains the box. The value is created again when
  /// it is read. A value that was changed since it was saved is kept.
  ///
  /// - Parameter makeReplacement: returns a closure that creates the value without retaining the
  ///   graph; nil if the value does not retain the graph.
  package func releaseRetainCycle(_ makeReplacement: (Value) -> (() -> Value?)?) {
    guard let kept = withLock({ isChanged || isDeferred ? nil : value }),
      let created = makeReplacement(kept)
    else { return }
    let old = withLock { () -> (Value?, (() -> Value?)?) in
      // If the value was changed meanwhile, it is already replaced.
      guard !isChanged, !isDeferred else { return (nil, nil) }
      defer {
        remake = created
        value = nil
        isDeferred = true
      }
      return (value, remake)
    }
    withExtendedLifetime((old, kept)) {}
  }

  @usableFromInline
  override func deferredValue(isKept: Bool) -> Value? {
    // Locked and unlocked directly: a closure that returns a value of a generic type would look up
    // its metadata on each call.
    lock()
    let remake = self.remake
    let links = self.links
    guard isDeferred, remake != nil || links != nil else {
      // The relationship was not loaded, or another thread has created or set the value meanwhile.
      defer { unlock() }
      return value
    }
    unlock()
    // The rows of a graph must not retain the values that they refer to: that would be a retain
    // cycle.
    if !isKept, remake != nil || links?.list.staysInGraph == true {
      return makeValue(remake, links)
    }
    // The metadata of the optional value is looked up once, because nothing branches from here to
    // its last use.
    let created = makeValue(remake, links)
    lock()
    // Another thread may have created the value first, or set another one.
    guard isDeferred else {
      defer { unlock() }
      return value
    }
    let old = self.remake
    value = created
    isDeferred = false
    self.remake = nil
    unlock()
    // The closure is released after unlocking. Most boxes have none, and then its type is not looked
    // up.
    if let old { withExtendedLifetime(old) {} }
    return created
  }

  // Not inlined, so that the metadata of the optional value is looked up once in the caller.
  @inline(never)
  private func makeValue(_ remake: (() -> Value?)?, _ links: LinkSlice?) -> Value? {
    if let remake { return remake() }
    guard let links else { return nil }
    return links.list.makeValue(of: links, as: Value.self)
  }

  override func makeSavedCopy() -> AnyPropertyBox? {
    hasMembersInRows ? nil : makeCopy(isChanged: false)
  }

  package override func makeCopy() -> PropertyBox<Value> { makeCopy(isChanged: isChanged) }

  private func makeCopy(isChanged: Bool) -> RelationshipBox<Value> {
    let copy = RelationshipBox(value, isChanged: isChanged)
    copy.assumeValue(of: self)
    copy.assumeLinks(of: self)
    return copy
  }

  override func makeCopyOfLinks() -> PropertyBox<Value>? {
    guard hasMembersInRows, let links else { return nil }
    return RelationshipBox(links: links)
  }

  /// Whether the saved members are fetched rows, from which the collection can be created.
  private var hasMembersInRows: Bool { links.map { $0.rows.count == $0.count } ?? false }

  override func assumeValue(of other: PropertyBox<Value>) {
    super.assumeValue(of: other)
    remake = (other as? RelationshipBox<Value>)?.remake
  }

  override func assumeLinks(of other: PropertyBox<Value>) {
    guard let other = other as? RelationshipBox<Value> else { return }
    storedLinks = other.storedLinks
    storedTarget = other.storedTarget
  }
}

/// A box that was created for a relationship.
package protocol RelationshipStorage {}

extension RelationshipBox: RelationshipStorage {}
