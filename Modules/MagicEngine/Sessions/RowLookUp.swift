package import MagicSchema

/// A lookup of a row by its primary on the thread of the caller, without waiting for a reader.
package struct RowLookUp {
  package let schema: ObjectSchema
  /// Whether the row is read from the database if it is not in memory.
  package let reads: Bool
  /// Whether the row is copied; otherwise the call asks whether it exists.
  package let copies: Bool
  /// Whether the lookup is one by primary for the diagnostics, and not a query.
  package let isNoted: Bool

  package init(of schema: ObjectSchema, reads: Bool, copies: Bool, isNoted: Bool = true) {
    self.schema = schema
    self.reads = reads
    self.copies = copies
    self.isNoted = isNoted
  }

  package enum Result {
    /// The row exists. The chunk contains a copy of it if the lookup copies the row.
    case found(RowChunk?)
    /// There is no such row.
    case missing
    /// The lookup did not find out whether there is such a row.
    case unknown
  }
}
