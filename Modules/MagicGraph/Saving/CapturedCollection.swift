import MagicSchema

/// A collection that is being saved, with its members in memory. The save changes the stored join
/// rows to match these members.
struct CapturedCollection {
  let owner: ObjectSchema
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

  var column: CollectionColumn { owner.collections[collection] }
}
