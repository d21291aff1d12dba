import MagicSchema

/// A condition in the engine's dialect, as a part of a query. Its arguments are values of the query.
package struct SQLFragment: Sendable {
  /// The text, with `?` for each argument, and the names of columns in it.
  package let statement: RawStatement
  /// The row whose columns the condition reads, and the ordinal of its type.
  package let scope: RowScopeID
  package let type: Int
  /// A hash of the text.
  let hash: Int

  package init(_ statement: RawStatement, scope: RowScopeID, type: Int) {
    self.statement = statement
    self.scope = scope
    self.type = type
    hash = statement.text.utf8.reduce(into: 5381) { $0 = ($0 &* 33) ^ Int($1) }
  }

  /// Whether both fragments have the same text and the same names of columns.
  func isEqual(to other: SQLFragment) -> Bool {
    type == other.type && hash == other.hash && statement.text == other.statement.text
      && statement.names.count == other.statement.names.count
      && zip(statement.names, other.statement.names).allSatisfy {
        $0.offset == $1.offset && $0.schema === $1.schema
      }
  }
}
