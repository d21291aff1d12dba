package import MagicSchema

/// The rows of members of one owner's collection.
package struct FetchedMemberRows {
  package let chunks: [RowChunk]
  /// What the last member comes behind, see ``MemberPlan/behind(_:limit:)``, as it is stored; nil where
  /// there were fewer members than the plan's limit.
  package let last: QueryValue?

  package init(_ chunks: [RowChunk], last: QueryValue? = nil) {
    self.chunks = chunks
    self.last = last
  }
}
