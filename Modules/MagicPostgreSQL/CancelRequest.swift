import CPostgreSQL
import MagicRuntime

/// Asks the server to cancel the statement that a connection runs. Any thread may use it, also while
/// another thread uses the connection, and after the connection was closed.
final class CancelRequest: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let origin = ProcessOrigin()

  /// - Parameter connection: the connection of libpq.
  init?(_ connection: OpaquePointer) {
    guard let pointer = magic_PQgetCancel(connection) else { return nil }
    self.pointer = pointer
  }

  deinit { magic_PQfreeCancel(pointer) }

  /// Sends the request on a connection of its own, and blocks until the server has received it. Does
  /// nothing in a forked child process, because the statement belongs to the parent.
  func send() {
    guard !origin.isForked else { return }
    var error = [CChar](repeating: 0, count: 256)
    _ = magic_PQcancel(pointer, &error, Int32(error.count))
  }
}
