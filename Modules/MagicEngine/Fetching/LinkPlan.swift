/// The join rows of a type's collection that a fetch reads.
package enum LinkPlan {
  /// The join rows of these owners.
  case owners(RowIDSet)
  /// The join rows of these owners, of their members, and so on, for a collection whose members
  /// have the type of the owner. The result may repeat owners of an earlier fetch.
  case reached(from: RowIDSet)
}

/// The members of an owner's collection that a fetch reads.
package enum MemberPlan {
  /// All members, in the order of the collection. The positions of a list may be any integers.
  case all
  /// A limited number of members in the order of the collection, after skipping a number of
  /// members.
  case first(Int, after: Int)
  /// A limited number of members after a position of a list, a row ID of a set or a key of a
  /// dictionary, in that order. For a list through a join type, after a list of two values: the value
  /// that sorts the join object, and its row ID.
  case after(QueryValue, limit: Int)
}
