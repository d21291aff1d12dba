import MagicSchema

/// A to-one relationship that a save has written. Its target row may not exist.
struct WrittenReference {
  let owner: ObjectReference
  /// Retains the owner, or nil if the caller retains it.
  let holder: RetainedObjects?
  let ownerID: Int64
  /// The index of the to-one relationship in the owner's type.
  let toOne: Int
  let target: Int64
  /// The target, if it had no row yet.
  let unsavedTarget: RetainedObjects?
}

/// A collection that a save has written, with members whose rows may not exist.
struct WrittenMembers {
  let owner: ObjectSchema
  let collection: Int
  let ownerID: Int64
  let property: PropertyReference
  /// The added members, except those that the save has inserted.
  let inserted: [Int64]
}
