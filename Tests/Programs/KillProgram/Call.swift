import MagicData
import MagicStore

/// One call of the store and what it is to change.
struct Call {
  let changes: [Change]
  /// Whether it throws ``Refused``, so that nothing of it is stored.
  var isRefused = false
  let run: (MagicObjectStore) throws -> Void
}

/// One call of a database that is made while others are.
struct TaskCall: Sendable {
  let changes: [Change]
  let run: @Sendable (MagicData) async throws -> Void
}

/// Thrown inside a transaction that is to fail.
struct Refused: Error {}
