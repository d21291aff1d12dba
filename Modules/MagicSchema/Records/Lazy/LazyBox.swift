package import MagicRuntime

/// A lazy value in memory, shared by all copies of it, until it is saved.
package class AnyLazyBox: Locked, @unchecked Sendable {
  /// Where the value is since it was saved.
  @exclusivity(unchecked) private var storedPlace: PropertyReference?
  @exclusivity(unchecked) private var storedVersion: UInt = 0
  /// The properties that hold it.
  @exclusivity(unchecked) private var holders = 0

  fileprivate override init() { super.init() }

  /// Where the value is since it was saved; nil while it is here.
  final var place: PropertyReference? { withLock { storedPlace } }

  /// Counts the values that were set.
  final var version: UInt { withLock { storedVersion } }

  final func addHolder() { withLock { holders += 1 } }
  final func removeHolder() { withLock { holders -= 1 } }

  /// Releases the value, which is in the row of a property's object from now on. What other
  /// properties hold as well stays theirs.
  ///
  /// - Parameter version: that of the value which was saved.
  /// - Returns: whether it was the value, and then what is to end outside of all locks.
  final func move(to place: PropertyReference, version: UInt) -> (Bool, AnyObject?) {
    withLock {
      guard version == storedVersion else { return (false, nil) }
      holders -= 1
      guard holders <= 0 else { return (true, nil) }
      storedPlace = place
      return (true, takeContent())
    }
  }

  fileprivate func takeContent() -> AnyObject? { nil }

  /// Counts a value, unless the box was moved. Called with the lock held.
  fileprivate final func noteSet() -> Bool {
    guard storedPlace == nil else { return false }
    storedVersion += 1
    return true
  }
}

package final class LazyBox<Content: Sendable>: AnyLazyBox, @unchecked Sendable {
  @exclusivity(unchecked) private var held: Held?

  /// Ends without recursion, however long the chain of values that refer to values is.
  private final class Held {
    var content: Content?

    init(_ content: Content) { self.content = content }

    deinit { DeferredRelease.release(&content) }
  }

  package init(_ content: Content) {
    held = Held(content)
    super.init()
  }

  /// The value and its version; nil where it was moved.
  package var content: (Content, version: UInt)? {
    let (held, version) = withLock { (self.held, storedVersionInLock) }
    return held?.content.map { ($0, version) }
  }

  /// Puts in another value.
  ///
  /// - Returns: false where the value has been moved to a place; and what is to end outside of all
  ///   locks.
  func set(_ content: Content) -> (isSet: Bool, old: AnyObject?) {
    let new = Held(content)
    return withLock {
      guard noteSet() else { return (false, nil) }
      defer { held = new }
      return (true, held)
    }
  }

  fileprivate override func takeContent() -> AnyObject? {
    defer { held = nil }
    return held
  }
}

extension AnyLazyBox {
  fileprivate final var storedVersionInLock: UInt { storedVersion }
}
