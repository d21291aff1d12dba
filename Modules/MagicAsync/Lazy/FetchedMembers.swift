import MagicEngine
import MagicSchema

/// Members of a collection as they were fetched.
struct FetchedMembers<Model: MagicObject>: Sendable {
  let objects: [Model]
  /// Those of a dictionary.
  let keys: (any LinkKeys)?

  /// What the last of them comes behind, where there may be more.
  let last: QueryValue?

  init(objects: [Model] = [], keys: (any LinkKeys)?, last: QueryValue? = nil) {
    self.objects = objects
    self.keys = keys
    self.last = last
  }
}
