/// Which join rows of a type's collection are read.
package enum LinkPlan {
  /// Those of these owners.
  case owners(RowList)
  /// Those of these owners, of their members, and so on: of a collection whose members are of the
  /// owner's type. Among them may be owners that an earlier fetch has given.
  case reached(from: RowList)
}

/// Which members of an owner's collection are read.
package enum MemberPlan {
  /// All, in the order of the collection. Positions of a list may be anything.
  case all
  /// So many, in the order of the collection, without those at its beginning.
  case first(Int, after: Int)
  /// Some behind a position of a list, a row ID of a set or a key of a dictionary, in that order.
  case behind(QueryValue, limit: Int)
}
