import MagicEngine

/// The position in a collection after which the next page starts.
struct MemberCursor: Sendable {
  enum End: Sendable {
    case list(ListEnd)
    /// The row ID or the key of the last member, or what its join object is sorted by.
    case key(QueryValue)
    /// The ``EditedMembers`` of a collection with edits, and the index of the next one.
    case edited(any Sendable, next: Int)
  }

  /// The maximum number of members of a page.
  static var pageSize: Int { 512 }

  let end: End
}

/// The position in a list, with the entries around it.
struct ListEnd: Sendable {
  var seen = SeenEntries()
  var pending = PendingMembers()
  /// The entries that follow the last entry that was read.
  var ahead: [ListEntry] = []
}
