/// What a write does in a commit that it may share.
enum CommitRole: Sendable {
  /// It opens a batch and runs in it, unless it is to have its commit to itself; in the end it calls
  /// ``CommitQueue/wakeNext()``.
  case leader
  /// It runs in a batch, and then calls ``CommitQueue/didRun(in:)``.
  case member(CommitBatch)
  /// The task was cancelled while it waited.
  case cancelled
  /// The store is suspended.
  case suspended
}
