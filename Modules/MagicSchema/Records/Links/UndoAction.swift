/// Restores the previous record of the saved state in a box, for a rollback.
package struct UndoAction {
  package let restore: () -> Void
}
