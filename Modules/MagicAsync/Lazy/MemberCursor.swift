import MagicEngine

/// How far the members of a collection were read: what the next page begins behind.
struct MemberCursor: Sendable {
  enum End: Sendable {
    case list(ListEnd)
    /// The row ID or the key of the last member.
    case key(QueryValue)
  }

  /// The most members that one page has.
  static var pageSize: Int { 512 }

  let end: End
}

/// How far the members of a list were read.
struct ListEnd: Sendable {
  var passed = SeenLinks()
  var outstanding = PendingMembers()
  /// The links that follow the last one that was passed.
  var ahead: [ListPlace] = []
}
