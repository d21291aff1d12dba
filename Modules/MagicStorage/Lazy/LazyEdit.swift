package import MagicBase

/// An edit of a lazy collection whose members are in the database.
package enum LazyEdit<Member: Sendable>: Sendable {
  case insert(Member)
  /// Removes all occurrences.
  case remove(Member)
  /// Sets the member of a key of a dictionary: the only one of the list.
  case setValue(Member, forKey: any LinkKeys)
  case removeValue(forKey: any LinkKeys)
  case removeAll
  /// Removes the members that match a condition.
  case removeMatching(any MemberFilter)

  package var member: Member? {
    switch self {
    case .insert(let member), .remove(let member), .setValue(let member, _): member
    case .removeValue, .removeAll, .removeMatching: nil
    }
  }

  package var key: (any LinkKeys)? {
    switch self {
    case .setValue(_, let key), .removeValue(let key): key
    case .insert, .remove, .removeAll, .removeMatching: nil
    }
  }

  /// Returns the keys of edits, in order. Nil if no edit has a key.
  package static func keys(of edits: ArraySlice<LazyEdit>) -> (any LinkKeys)? {
    var keys: (any LinkKeys)?
    for edit in edits {
      guard let key = edit.key else { continue }
      if keys == nil { keys = key.makeEmpty() }
      keys?.append(0, of: key)
    }
    return keys
  }
}

/// A condition on members that the database evaluates. Its type is declared where queries are.
package protocol MemberFilter: Sendable {}
