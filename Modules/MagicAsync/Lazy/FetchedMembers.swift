import MagicEngine
import MagicSchema

/// Fetched members of a collection.
struct FetchedMembers<Model: MagicObject>: Sendable {
  let objects: [Model]
  /// The keys of a dictionary.
  let keys: (any LinkKeys)?

  /// The value after which the next fetch continues, or nil at the end.
  let last: QueryValue?

  init(objects: [Model] = [], keys: (any LinkKeys)?, last: QueryValue? = nil) {
    self.objects = objects
    self.keys = keys
    self.last = last
  }
}
