/// What a commit hook has recorded of one body; its transaction keeps it until the commit.
///
/// The references belong to the hook: it alone knows their types.
package struct RecordedBody {
  /// What the body has changed; nil where nothing of what is recorded has changed.
  package var changes: AnyObject?
  /// What was recorded; nil where nothing was.
  package var scope: AnyObject?
  /// The version of the set of observers that ``scope`` was made for.
  package var generation: UInt64 = 0
  /// Whether the body may have written.
  package var hasWritten = true

  package init(
    changes: AnyObject? = nil, scope: AnyObject? = nil, generation: UInt64 = 0,
    hasWritten: Bool = true
  ) {
    self.changes = changes
    self.scope = scope
    self.generation = generation
    self.hasWritten = hasWritten
  }
}
