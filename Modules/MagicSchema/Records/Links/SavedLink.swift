/// A box whose note of what is saved was changed, with the note as it was.
package struct SavedLink {
  package let restore: () -> Void
}
