/// The lifetime of an open database. Handles, for example `MagicObjectStore`, share the database.
/// Lazy values keep it open.
package protocol EngineHandles: AnyObject, Sendable {
  /// The state of the database. Handles check it at the start of each call.
  var lifecycle: StoreLifecycle { get }

  /// Releases a closed handle. The last one closes the database, after the running calls have
  /// ended.
  func release() async

  /// Releases a handle like ``release()``, but does not wait for running reads. Waiting reads throw
  /// an error.
  ///
  /// - Parameter isClosing: whether the handle was closed explicitly, and not just deallocated. If
  ///   so, leases do not keep the database open.
  func releaseWithoutWaiting(isClosing: Bool)

  /// Releases a lease, see ``StoreLeases``.
  func releaseLease()

  /// Suspends the database for all its handles, and releases the locks on its files. Blocks until
  /// the running calls have ended.
  func suspend()

  /// Ends the suspension. Does not wait for other threads.
  func resume()
}
