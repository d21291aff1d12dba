import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// Renders an update. PostgreSQL computes all values from the rows before the update.
  mutating func update(_ query: PreparedQuery, _ columns: [Int]) throws -> String {
    let schema = query.schema
    let assignments = columns.enumerated().map { index, column in
      "\(schema.columns[column].name.quoted) = \"magic_new\".\"\(index)\""
    }
    return "UPDATE \(schema.tableName.quoted) AS \"magic_old\" "
      + "SET \(assignments.joined(separator: ", ")) "
      + "FROM (\(try select(query, nil))) AS \"magic_new\" "
      + "WHERE \"magic_old\".\"z_index\" = \"magic_new\".\"z_index\""
  }

  /// Renders the new values of columns.
  mutating func assigned(
    _ values: [QueryExpression], to columns: [Int], of schema: ObjectSchema
  ) throws -> [String] {
    try zip(columns, values).enumerated().map { index, pair in
      let column = schema.columns[pair.0]
      let value = cast(try term(pair.1.tree).value, to: scopes[0].table.columns[pair.0].type).text
      let checked = pair.1.tree.isComputed ? Self.checked(value, column) : value
      return "\(checked) AS \"\(index)\""
    }
  }

  /// An expression that fails for a number that its column cannot contain. A computed floating-point
  /// number is rounded to the nearest `Float` for a column of that type.
  private static func checked(_ text: String, _ column: ColumnSchema) -> String {
    if column.codec == .float { return "magic_float(\(text))" }
    return column.codec.integerRange.map { "magic_checked(\(text), \($0), \($1))" } ?? text
  }
}
