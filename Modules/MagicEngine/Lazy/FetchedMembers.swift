package import MagicSchema

/// Members of a collection as they were fetched.
package struct FetchedMembers<Model: MagicObject>: Sendable {
  package let objects: [Model]
  /// Those of a dictionary.
  package let keys: (any LinkKeys)?

  package init(objects: [Model] = [], keys: (any LinkKeys)?) {
    self.objects = objects
    self.keys = keys
  }
}
