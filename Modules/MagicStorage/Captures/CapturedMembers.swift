/// The members of a collection at the time of a save.
package struct CapturedMembers {
  package enum Members {
    case unset
    case objects(RetainedObjects, (any LinkKeys)?)
    /// The members as they were fetched, of which objects may not have been created.
    case fetched(LinkSlice)
    /// A collection that was not changed and is lazy or not loaded: the members are in the database.
    case kept
    /// Edits of a lazy collection, whose members are in the database.
    case edited(CapturedEdits)
    /// The lazy collection of another object, whose members are not in memory and cannot be saved
    /// here.
    case lost
  }

  package let members: Members
  /// The links in the database.
  package let saved: LinkSlice?
  package let isChanged: Bool
  /// The save state of a lazy collection.
  package let lazy: LazyCapture?

  package init(_ members: Members, saved: LinkSlice?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.members = members
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }

  /// Whether the collection is in memory and has no members.
  package var isEmpty: Bool {
    if case .objects(let objects, _) = members { objects.count == 0 } else { false }
  }
}
