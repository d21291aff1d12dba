import MagicSchema

/// A to-one that a save has written, to a row that may not be there.
struct WrittenReference {
  let owner: ObjectReference
  /// Keeps the owner where it is; nil where the caller does.
  let holder: RetainedObjects?
  let ownerID: Int64
  /// The place of the to-one among the owner's.
  let toOne: Int
  let target: Int64
  /// The target, where it had no row yet.
  let promised: RetainedObjects?
}

/// A collection that a save has written, with members that may not be there.
struct WrittenMembers {
  let owner: ObjectSchema
  let collection: Int
  let ownerID: Int64
  let property: PropertyReference
  /// The members that were added, without those that the save has inserted.
  let inserted: [Int64]
}
