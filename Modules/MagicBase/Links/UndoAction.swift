/// Restores a value in a box that was replaced before the commit, for a rollback.
package struct UndoAction {
  package let restore: () -> Void

  package init(_ restore: @escaping () -> Void) { self.restore = restore }
}
