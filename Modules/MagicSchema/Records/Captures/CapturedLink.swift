/// What a to-one refers to at one moment.
package struct CapturedLink {
  package enum Target {
    case none
    case object(RetainedObjects)
    /// A fetched row without an object.
    case row(PackedRow)
    /// What a lazy to-one referred to, of which no more is in memory.
    case kept(LazyTarget)
    /// A lazy value of another object, which is not in memory.
    case lost
  }

  package let target: Target
  /// The row that the database has.
  package let saved: Int64?
  package let isChanged: Bool
  /// Of a lazy to-one.
  package let lazy: LazyCapture?

  init(_ target: Target, saved: Int64?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.target = target
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }

  /// The same with an object of the row it refers to.
  package func leading(to object: RetainedObjects) -> CapturedLink {
    CapturedLink(.object(object), saved: saved, isChanged: isChanged)
  }
}
