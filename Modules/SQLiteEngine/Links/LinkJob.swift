import MagicSchema

/// A collection whose links are to be brought to what it holds in memory.
struct LinkJob {
  let owner: ObjectSchema
  let collection: Int
  /// The owner's row.
  let zIndex: Int64
  let property: PropertyReference
  let members: CapturedMembers
  var state: State

  enum State {
    /// The owner's row is new: there are no links.
    case new
    /// The owner has taken over a row that was there: its links are what the database says.
    case taken
    /// The links are those that the owner was fetched with or has saved.
    case saved
  }
}
