package import MagicRuntime

/// A lazy value in memory that is not saved yet. All copies of the value share the box.
package class AnyLazyBox: Locked, @unchecked Sendable {
  /// The property whose row contains the value since it was saved.
  @exclusivity(unchecked) private var storedPlace: PropertyReference?
  @exclusivity(unchecked) private var storedVersion: UInt = 0
  /// The number of properties that refer to the box.
  @exclusivity(unchecked) private var holders = 0

  // As visible as the class: with an internal override, Swift 6.3 computes another size of the
  // class's metadata in other modules, which then read the wrong type of a subclass's content.
  package override init() { super.init() }

  /// The property whose row contains the value since it was saved; nil while the value is in this
  /// box.
  final var place: PropertyReference? { withLock { storedPlace } }

  /// The number of values that were set.
  final var version: UInt { withLock { storedVersion } }

  final func addHolder() { withLock { holders += 1 } }
  final func removeHolder() { withLock { holders -= 1 } }

  /// Releases the value, which the row of a property's object now contains. The value is kept if
  /// other properties refer to it too.
  ///
  /// - Parameter version: the version of the value that was saved.
  /// - Returns: whether the saved value is the current one; if so, also an object that the caller
  ///   releases after all locks are released.
  final func move(to place: PropertyReference, version: UInt) -> (Bool, AnyObject?) {
    withLock {
      guard version == storedVersion else { return (false, takeSaved(version)) }
      holders -= 1
      guard holders <= 0 else { return (true, nil) }
      storedPlace = place
      return (true, takeContent())
    }
  }

  func takeContent() -> AnyObject? { nil }

  /// Removes the part of the value that was saved. Called with the lock held, if the value was
  /// changed since.
  func takeSaved(_ version: UInt) -> AnyObject? { nil }

  /// Increments the version unless the value was moved to a row. Called with the lock held.
  final func incrementVersion() -> Bool {
    guard storedPlace == nil else { return false }
    storedVersion += 1
    return true
  }
}

/// The box of a lazy value of one type.
package final class LazyBox<Content: Sendable>: AnyLazyBox, @unchecked Sendable {
  @exclusivity(unchecked) private var storedContent: StoredContent?

  /// Contains the value and releases it without recursion, so that a chain of values that refer to
  /// each other can have any length.
  private final class StoredContent {
    var content: Content?

    init(_ content: Content) { self.content = content }

    deinit { DeferredRelease.release(&content) }
  }

  package init(_ content: Content) {
    storedContent = StoredContent(content)
    super.init()
  }

  /// The value and its version; nil if the value was moved to a row.
  package var content: (Content, version: UInt)? {
    let (storedContent, version) = withLock { (self.storedContent, storedVersionInLock) }
    return storedContent?.content.map { ($0, version) }
  }

  /// Replaces the value of a version.
  ///
  /// - Returns: false if the value was changed, or moved to a row.
  package func replace(_ version: UInt, with content: Content) -> Bool {
    let new = StoredContent(content)
    let (isSet, old) = withLock { () -> (Bool, StoredContent?) in
      guard version == storedVersionInLock, incrementVersion() else { return (false, nil) }
      defer { storedContent = new }
      return (true, storedContent)
    }
    return withExtendedLifetime(old) { isSet }
  }

  /// Replaces the value.
  ///
  /// - Returns: false if the value was moved to a row; and an object that the caller releases after
  ///   all locks are released.
  func set(_ content: Content) -> (isSet: Bool, old: AnyObject?) {
    let new = StoredContent(content)
    return withLock {
      guard incrementVersion() else { return (false, nil) }
      defer { storedContent = new }
      return (true, storedContent)
    }
  }

  override func takeContent() -> AnyObject? {
    defer { storedContent = nil }
    return storedContent
  }
}

extension AnyLazyBox {
  /// The number of values that were set. Used while the lock is held.
  final var storedVersionInLock: UInt { storedVersion }
}
