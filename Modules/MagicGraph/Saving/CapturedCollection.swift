import MagicSchema

/// A collection whose join rows are to be brought to what it holds in memory.
struct CapturedCollection {
  let owner: ObjectSchema
  /// The place of the collection among the owner's.
  let collection: Int
  let ownerID: Int64
  let property: PropertyReference
  let members: CapturedMembers
  var state: State

  enum State {
    /// The owner's row is new: there are no join rows.
    case new
    /// The owner has become a row that was there: its join rows are what the database says.
    case taken
    /// The join rows are those that the owner was fetched with or has saved.
    case saved
  }

  var column: CollectionColumn { owner.collections[collection] }
}
