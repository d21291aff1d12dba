/// The changes that a commit hook has recorded of one body. The transaction keeps them until the
/// commit.
///
/// Only the hook uses the references, so they are untyped.
package struct RecordedBody {
  /// The changes of the body; nil if no recorded table was changed.
  package var changes: AnyObject?
  /// The recorded tables; nil if nothing was recorded.
  package var scope: AnyObject?
  /// The version of the set of observers that ``scope`` was created for.
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
