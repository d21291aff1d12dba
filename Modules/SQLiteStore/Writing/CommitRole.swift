/// The role of a write in a commit.
enum CommitRole: Sendable {
  /// The write opens a batch and runs in it, unless it is exclusive. At the end it calls
  /// ``CommitQueue/wakeNext()``.
  case leader
  /// The write runs in a batch, and then calls ``CommitQueue/didRun(in:hasFailed:)``.
  case member(CommitBatch)
  /// The task was cancelled while it waited.
  case cancelled
  /// The database is suspended.
  case suspended
}
