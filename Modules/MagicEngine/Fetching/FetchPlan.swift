package import MagicSchema

/// The rows of a type that a fetch reads, and their order.
package enum FetchPlan {
  /// All rows, in row ID order.
  case all
  /// The first rows after a row ID, in row ID order.
  case after(Int64?, limit: Int)
  /// The rows with these IDs, in row ID order.
  case rows(RowIDSet)
  /// The rows with these IDs, and all rows that are reachable from them through a to-one
  /// relationship of the type to itself.
  case reached(from: RowIDSet, along: Int)
  /// The row with the primary value that is the first of ``EngineRows/parameters``.
  case primary
  /// The rows with the primary values in ``EngineRows/parameters``, in the order of the values.
  /// Each row is packed once. ``FetchedRows/rowIDs`` contains the row ID for each value.
  case primaries
  /// The rows with the keys in ``EngineRows/parameters``, in the order of the keys, as for
  /// ``primaries``. A key has as many parameters as the key of the type has columns.
  case keys
  /// The first rows after a row ID that refer to a row through a relationship, in row ID order.
  case owners(of: Int64, along: PropertySchema, after: Int64?, limit: Int)
  /// The rows of a query for objects or for a page of objects, in the order of the query.
  case query(PreparedQuery)
}

/// The result of a fetch of rows.
package struct FetchedRows {
  package let chunks: [RowChunk]
  /// The number of fetched rows, before consecutive duplicates were packed once.
  package let count: Int
  /// The row IDs for the requested values, if the plan requests them. Values without a row are
  /// skipped.
  package let rowIDs: [Int64]
  /// The values by which the last row of a full page is sorted.
  package let last: [QueryValue]

  package init(
    _ chunks: [RowChunk], count: Int, rowIDs: [Int64] = [], last: [QueryValue] = []
  ) {
    self.chunks = chunks
    self.count = count
    self.rowIDs = rowIDs
    self.last = last
  }

  /// An empty result.
  package static var none: FetchedRows { FetchedRows([], count: 0) }
}
