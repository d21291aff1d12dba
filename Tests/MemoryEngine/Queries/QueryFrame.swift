import MagicEngine

/// What expressions are computed of: the rows of the scopes that are open, from the outermost, and
/// the rows of a group.
struct QueryFrame {
  var rows: [StoredRow?]
  var group: [StoredRow] = []
}

/// Computes an expression.
typealias Computation = (QueryFrame) throws -> StoredValue
