/// An actor that writes run on, so that none of them blocks another's thread.
package actor WriteGate {
  func run<Result: Sendable>(
    _ body: @Sendable (isolated WriteGate) async throws -> Result
  ) async throws -> Result { try await body(self) }
}

extension SharedStore {
  /// Runs a write on the caller's actor. While another process has the file locked it pauses, and
  /// other writes may try.
  package func writing<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (WriteTransaction) throws -> Result
  ) async throws -> Result {
    var patience = Patience(seconds: busyTimeout)
    while true {
      do {
        return try write(waits: false, body)
      } catch let locked as LockedDatabase {
        guard try await patience.pause() else { throw locked.error }
      }
    }
  }

  /// Runs a read. Tables that are of another shape than their types are brought to it first.
  package func reading<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await readingOnce(body)
      } catch let outdated as OutdatedTable {
        try await gate.run { gate in
          try await self.writing(isolation: gate) { try $0.updateTable(of: outdated.schema) }
        }
      }
    }
  }

  private func readingOnce<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    guard readsOnWriter else { return try await read(body) }
    return try await gate.run { _ in try self.readOnWriter(body) }
  }
}
