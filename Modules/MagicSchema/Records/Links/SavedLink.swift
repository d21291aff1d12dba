/// Restores the previous record of the saved state in a box, for a rollback.
package struct SavedLink {
  package let restore: () -> Void
}
