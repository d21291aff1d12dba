import MagicSchema

/// The objects that a call saves, which the caller retains.
struct SavedRoots {
  let count: Int
  private let object: (Int) -> ObjectReference

  init(count: Int, _ object: @escaping (Int) -> ObjectReference) {
    (self.count, self.object) = (count, object)
  }

  subscript(index: Int) -> ObjectReference { object(index) }
}
