/// A collection's members at one moment.
package struct CapturedMembers {
  package enum Members {
    case unset
    case objects(RetainedObjects, (any LinkKeys)?)
    /// As they were fetched, and maybe without objects.
    case fetched(LinkSlice)
    /// Those that the row of a lazy collection's owner has.
    case kept
    /// Those of another object's lazy collection, which are not in memory.
    case lost
  }

  package let members: Members
  /// What the database has.
  package let saved: LinkSlice?
  package let isChanged: Bool
  /// Of a lazy collection.
  package let lazy: LazyCapture?

  init(_ members: Members, saved: LinkSlice?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.members = members
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }
}
