import MagicStore

/// How far the members of a collection were read: what the next page begins behind.
package struct MemberCursor: Sendable {
  enum End: Sendable {
    case list(ListEnd)
    case set(last: Int64)
    case dictionary(last: QueryValue)
  }

  /// The most members that one page has.
  package static var pageSize: Int { 512 }

  let end: End
}

/// How far the members of a list were read.
package struct ListEnd: Sendable {
  var passed = PassedLinks()
  var outstanding = OutstandingMembers()
  /// The links that follow the last one that was passed.
  var ahead: [ListPlace] = []
}

/// A link of a list.
package struct ListPlace: Equatable, Sendable {
  package let position: Int64
  package let target: Int64
}
