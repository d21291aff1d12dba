package import MagicSchema

/// Which rows of a type are fetched, and in which order.
package enum FetchPlan {
  /// All, in the order of their row IDs.
  case all
  /// The first ones behind a row ID, in the order of their row IDs.
  case behind(Int64?, limit: Int)
  /// Those with these row IDs, in their order.
  case rows(RowList)
  /// Those with these row IDs, and all that a to-one of the type to itself refers to from there.
  case reached(from: RowList, along: Int)
  /// The one with the primary that is the first of ``EngineRows/parameters``.
  case primary
  /// Those with the primaries in ``EngineRows/parameters``, in their order, each row packed once.
  /// ``FetchedRows/rowIDs`` has the row of each primary.
  case primaries
  /// The first ones behind a row ID that refer to a row along a relationship, in the order of their
  /// row IDs.
  case owners(of: Int64, along: PropertySchema, behind: Int64?, limit: Int)
  /// The rows of a query for objects or for a page of them, in its order.
  case query(PreparedQuery)
}

/// Rows as they were fetched.
package struct FetchedRows {
  package let chunks: [RowChunk]
  /// How many rows there were, before a row that follows itself was packed once.
  package let count: Int
  /// By what is asked for, where a plan says so; those that are not there are left out.
  package let rowIDs: [Int64]
  /// The values that the last row of a full page is ordered by.
  package let last: [QueryValue]

  package init(
    _ chunks: [RowChunk], count: Int, rowIDs: [Int64] = [], last: [QueryValue] = []
  ) {
    self.chunks = chunks
    self.count = count
    self.rowIDs = rowIDs
    self.last = last
  }

  /// No rows.
  package static var none: FetchedRows { FetchedRows([], count: 0) }
}
