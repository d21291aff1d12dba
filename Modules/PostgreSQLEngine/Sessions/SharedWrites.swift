/// A write that may share a transaction, and its commit, with others.
final class SharedWrite: SharedCall<PostgreSQLTransaction>, @unchecked Sendable {
  /// The commit of the write, if it is published to observers.
  @exclusivity(unchecked) var published: (any PublishedCommit)?
}

typealias SharedWrites = SharedCalls<PostgreSQLTransaction, SharedWrite>
