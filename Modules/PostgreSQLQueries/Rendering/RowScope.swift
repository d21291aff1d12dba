import MagicPostgreSQL
import MagicRequests
import MagicSchema

/// The table and joins of one FROM clause while it is rendered.
struct RowScope {
  /// The identities of the row in the closures of the query.
  let ids: [RowScopeID]
  let schema: ObjectSchema
  let table: QueryTable
  let alias: String
  /// Whether the rows of the query are combined with these rows. They are not the innermost row of
  /// an expression, but have an identity in its closure.
  let isJoined: Bool
  /// The rows that a traversal reaches, to which the rows are restricted; nil if there is none.
  var reached: Reached?
  /// The rows that a search finds, to which the rows are restricted; nil if there is none. With the alias
  /// of the scope, they represent the rows of the table.
  var found: Reached?
  private(set) var joins: [[Int]: Join] = [:]
  /// The paths of the joins, in their order.
  private(set) var joinPaths: [[Int]] = []
  private(set) var joinText = ""

  /// A joined table of a to-one relationship.
  struct Join {
    let schema: ObjectSchema
    let table: QueryTable
    let alias: String
    /// Whether the joined row may be missing.
    let isOptional: Bool

    /// Returns the SQL for a column of the row.
    func column(_ index: Int) -> String { "\(alias).\(table.columns[index].name)" }
  }

  /// The subquery of a traversal, with the columns `id` and `depth`, or of a search, with `id` and
  /// `score`.
  struct Reached {
    let source: String
    let alias: String
  }

  init(
    ids: [RowScopeID], schema: ObjectSchema, table: QueryTable, alias: String,
    isJoined: Bool = false
  ) {
    self.isJoined = isJoined
    self.ids = ids
    self.schema = schema
    self.table = table
    self.alias = alias
  }

  /// The table of the scope itself, for paths without relationships.
  var root: Join { Join(schema: schema, table: table, alias: alias, isOptional: false) }

  mutating func add(_ join: Join, at steps: [Int], on condition: String) {
    joins[steps] = join
    joinPaths.append(steps)
    joinText +=
      " \(join.isOptional ? "LEFT JOIN" : "JOIN") \(join.table.source) AS \(join.alias) "
      + "ON \(condition)"
  }

  /// The FROM clause, without the joins of to-one relationships.
  var source: String {
    if let found, found.alias == alias { return "\(found.source) AS \(alias)" }
    let rows = "\(table.source) AS \(alias)"
    let subqueries = [found, reached].compactMap(\.self)
    return subqueries.reduce(rows) { source, rows in
      "\(rows.source) AS \(rows.alias) JOIN \(source) "
        + "ON \(alias).\"z_index\" = \(rows.alias).\"id\""
    }
  }

  /// The FROM clause with the joins of to-one relationships.
  var sourceWithJoins: String { source + joinText }
}
