import MagicSchema

/// A collection that is being saved, with its members in memory. The save changes the stored join
/// rows to match these members. A class, because copies of a structure would count each reference.
final class CapturedCollection {
  let owner: ObjectSchema
  let column: CollectionColumn
  /// The index of the collection in the owner's type.
  let collection: Int
  let ownerID: Int64
  let property: PropertyReference
  let members: CapturedMembers
  var state: State

  enum State {
    /// The owner's row is new and has no join rows.
    case new
    /// The owner was matched with an existing row by its primary value. The stored join rows must
    /// be read.
    case matched
    /// The stored join rows are those that the owner was fetched with or has saved.
    case saved
  }

  init(
    owner: ObjectSchema, collection: Int, ownerID: Int64, property: PropertyReference,
    members: CapturedMembers, state: State
  ) {
    self.owner = owner
    column = owner.collections[collection]
    self.collection = collection
    self.ownerID = ownerID
    self.property = property
    self.members = members
    self.state = state
  }
}
