import MagicSchema

/// Members of a collection as they were fetched.
struct FetchedMembers<Model: MagicObject>: Sendable {
  let objects: [Model]
  /// Those of a dictionary.
  let keys: (any LinkKeys)?

  init(objects: [Model] = [], keys: (any LinkKeys)?) {
    self.objects = objects
    self.keys = keys
  }
}
