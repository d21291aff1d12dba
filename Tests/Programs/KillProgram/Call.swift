import MagicData
import MagicStore

/// A call of the store, and the changes that it makes.
struct Call {
  let changes: [Change]
  /// Whether the call throws ``Refused``, so that none of it is stored.
  var isRefused = false
  let run: (MagicObjectStore) throws -> Void
}

/// A call of a database that runs concurrently with others.
struct TaskCall: Sendable {
  let changes: [Change]
  let run: @Sendable (MagicData) async throws -> Void
}

/// An error that is thrown inside a transaction to roll it back.
struct Refused: Error {}
