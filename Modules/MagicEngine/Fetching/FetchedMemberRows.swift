package import MagicSchema

/// The fetched rows of members of one owner's collection.
package struct FetchedMemberRows {
  package let chunks: [RowChunk]
  /// The stored position, row ID or key after which the next fetch continues, see
  /// ``MemberPlan/after(_:limit:)``. Nil if there were fewer members than the plan's limit.
  package let last: QueryValue?

  package init(_ chunks: [RowChunk], last: QueryValue? = nil) {
    self.chunks = chunks
    self.last = last
  }
}
