/// What a commit hook has recorded of one body; its transaction keeps it until the commit.
///
/// The references belong to the hook: it alone knows their types.
struct RecordedBody {
  /// What the body has changed; nil where nothing of what is recorded has changed.
  var changes: AnyObject?
  /// What was recorded; nil where nothing was.
  var scope: AnyObject?
  /// The version of the set of observers that ``scope`` was made for.
  var generation: UInt64 = 0
  /// Whether the body may have written.
  var hasWritten = true
}
