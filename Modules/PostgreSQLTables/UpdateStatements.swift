package import MagicPostgreSQL
package import MagicSchema

/// Statements that update different sets of columns, of which a type has many.
package final class UpdateStatements {
  @exclusivity(unchecked) private var statements: [ColumnSet: PostgreSQLStatement] = [:]

  /// The number of statements that are kept.
  private static var limit: Int { 64 }

  package init() {}

  package var all: [PostgreSQLStatement] { Array(statements.values) }

  /// - Parameter retire: receives statements that are not kept any more.
  package func statement(
    _ columns: ColumnSet, _ retire: (PostgreSQLStatement) -> Void,
    _ make: () -> PostgreSQLStatement
  ) -> PostgreSQLStatement {
    if let statement = statements[columns] { return statement }
    if statements.count >= Self.limit {
      for statement in statements.values { retire(statement) }
      statements.removeAll()
    }
    let statement = make()
    statements[columns] = statement
    return statement
  }
}
