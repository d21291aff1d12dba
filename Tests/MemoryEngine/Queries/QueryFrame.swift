import MagicEngine

/// The input of an expression: the row of each open scope, from the outermost, and the rows of a
/// group.
struct QueryFrame {
  var rows: [StoredRow?]
  var group: [StoredRow] = []
}

/// A compiled expression.
typealias Computation = (QueryFrame) throws -> StoredValue
