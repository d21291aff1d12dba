/// The target of a to-one at the time of a save.
package struct CapturedLink {
  package enum Target {
    case none
    case object(RetainedObjects)
    /// A fetched row of which no object was created.
    case row(PackedRow)
    /// The row ID of a to-one that is lazy or not loaded, and whose object is not in memory.
    case kept(LazyTarget)
    /// The lazy value of another object, which is not in memory and cannot be saved here.
    case lost
  }

  package let target: Target
  /// The row ID in the database.
  package let saved: Int64?
  package let isChanged: Bool
  /// The save state of a lazy to-one.
  package let lazy: LazyCapture?

  package init(_ target: Target, saved: Int64?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.target = target
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }

  /// Returns the same link with an object in place of its row.
  package func resolved(to object: RetainedObjects) -> CapturedLink {
    CapturedLink(.object(object), saved: saved, isChanged: isChanged)
  }
}
