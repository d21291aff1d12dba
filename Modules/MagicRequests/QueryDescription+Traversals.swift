import MagicSchema

extension QueryDescription {
  /// Restricts the query to the rows of a traversal.
  package mutating func follow(_ traversal: Traversal) {
    if self.traversal != nil {
      error =
        error
        ?? MagicError(
          .invalidQuery,
          "A query has descendants or ancestors twice. Use one of them in a subquery.")
    }
    if let depth = traversal.maximumDepth, depth < 0 {
      error = error ?? Self.negative("maximum depth")
    }
    self.traversal = traversal
  }
}
