import MagicEngine

/// The position in a collection after which the next page starts.
struct MemberCursor: Sendable {
  enum End: Sendable {
    case list(ListEnd)
    /// The row ID or the key of the last member.
    case key(QueryValue)
  }

  /// The maximum number of members of a page.
  static var pageSize: Int { 512 }

  let end: End
}

/// The position in a list, with the links around it.
struct ListEnd: Sendable {
  var passed = SeenLinks()
  var outstanding = PendingMembers()
  /// The links that follow the last link that was read.
  var ahead: [ListPlace] = []
}
