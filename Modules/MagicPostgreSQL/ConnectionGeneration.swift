import MagicRuntime

/// The generation of the connections to a server. It ends when a connection was lost or the server
/// accepts no more writes: other connections may be lost too, or belong to a server that was replaced.
package final class ConnectionGeneration: Sendable {
  private let current = Mutex(0)

  package init() {}

  package var number: Int { current.withLock { $0 } }

  /// Begins a new generation. Connections of earlier ones are opened again before their next use.
  package func end() { current.withLock { $0 += 1 } }
}
