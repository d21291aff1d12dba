import MagicEngine
import MagicPostgreSQL
import PostgreSQLQueries
import PostgreSQLTables

/// A query as a statement of PostgreSQL.
final class QueryStatement {
  let statement: PostgreSQLStatement
  let parameters: [ParameterForm]
  let rendered: RenderedQuery

  init(_ rendered: RenderedQuery) {
    self.rendered = rendered
    parameters = rendered.parameters
    statement = PostgreSQLStatement(
      rendered.sql, rendered.parameters.map(\.parameterType), runsOnce: !rendered.isLasting)
  }
}

/// The statements of queries on one connection, by the shapes of the queries.
final class QueryStatements {
  private struct Key: Hashable {
    let shape: QueryShape
    /// The types of the parameters depend on the kinds of the values.
    let kinds: [ValueKind]
  }

  /// The number of statements that a connection keeps.
  private static var limit: Int { 256 }

  @exclusivity(unchecked) private var statements: [Key: QueryStatement] = [:]
  /// The statements that are not kept any more. They stay prepared until they are removed.
  @exclusivity(unchecked) private(set) var retired: [PostgreSQLStatement] = []

  /// Returns the statement of a query.
  ///
  /// - Parameter render: called if the statement is not known.
  func statement(
    for query: PreparedQuery, _ render: ([ValueKind]) throws -> RenderedQuery
  ) rethrows -> QueryStatement {
    let key = Key(shape: query.shape, kinds: ValueKind.kinds(of: query))
    if let statement = statements[key] { return statement }
    let statement = QueryStatement(try render(key.kinds))
    guard statement.rendered.isLasting else { return statement }
    if statements.count >= Self.limit { removeAll() }
    statements[key] = statement
    return statement
  }

  /// Retires statements that do not run again.
  func retire(_ statements: PostgreSQLStatement...) { retired += statements }

  /// Retires the statements of a type.
  func retire(_ statements: TypeStatements) { retired += statements.all }

  /// Forgets all statements, for example because a table was removed.
  func removeAll() {
    retired += statements.values.map(\.statement)
    statements.removeAll()
  }

  private static let maximumRemoved = 64

  /// Removes retired statements from the connection, many of them at once. Does nothing while the
  /// thread must not wait for the server.
  ///
  /// - Throws: `MagicError` of a deferred statement.
  func removeRetired(from connection: PostgreSQLConnection) throws {
    guard retired.count >= Self.maximumRemoved else { return }
    // They are removed with one message, whose size is limited.
    let first = Array(retired.prefix(Self.maximumRemoved))
    let areRemoved = try translatingErrors { try connection.deallocate(first) }
    if areRemoved { retired.removeFirst(first.count) }
  }
}
