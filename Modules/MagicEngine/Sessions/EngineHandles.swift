/// The life of an open database, which handles such as an `MagicObjectStore` share, and lazy values keep open.
package protocol EngineHandles: AnyObject, Sendable {
  /// What calls the database admits. Handles ask it where a call enters.
  var lifecycle: StoreLifecycle { get }

  /// Returns a handle that is closed. The last one closes the database, after the running calls have
  /// ended.
  func release() async

  /// Like ``release()`` without waiting for running reads; waiting ones get an error.
  ///
  /// - Parameter isClosing: whether the handle is closed, not just released: then leases do not keep
  ///   the database open.
  func releaseWithoutWaiting(isClosing: Bool)

  /// A lease has ended, see ``StoreLeases``.
  func releaseLease()

  /// Suspends the database for all its handles, and releases the locks on its files. Blocks until the
  /// running calls have ended.
  func suspend()

  /// Admits calls again. Waits for no other thread.
  func resume()
}
