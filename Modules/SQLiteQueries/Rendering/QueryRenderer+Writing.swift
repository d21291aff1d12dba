import MagicEngine
import MagicSQLText
import MagicSchema
import Magical
import SQLiteEngine
import SQLiteTables

extension QueryRenderer {
  mutating func deletion(_ query: PreparedQuery) throws -> String {
    if query.plan.filter != nil, query.plan.findsRowsByOwnValues {
      let target = try beginWriting(query)
      return "DELETE FROM \(target)\(try condition(query.plan))"
    }
    let rows = try select(query, nil)
    return "DELETE FROM \(query.schema.tableName.quoted) WHERE \"z_index\" IN (\(rows))"
  }

  /// Makes the row that is written the row of the query.
  ///
  /// - Returns: the table with its alias.
  private mutating func beginWriting(_ query: PreparedQuery) throws -> String {
    let (schema, alias) = (query.schema, alias())
    scopes = [
      RowScope(
        ids: query.plan.rowScopes ?? [], schema: schema, table: try table(schema), alias: alias)
    ]
    return "\(schema.tableName.quoted) AS \(alias)"
  }

  /// Renders an update whose values are computed from the updated row only.
  mutating func update(_ query: PreparedQuery, _ columns: [Int]) throws -> String {
    let schema = query.schema
    let target = try beginWriting(query)
    let values = try assigned(query.plan.selection, to: columns, of: schema)
    let assignments = zip(columns, values).map { column, value in
      "\(schema.columns[column].name.quoted) = \(value)"
    }
    let update = "UPDATE \(target) SET \(assignments.joined(separator: ", "))"
    // With a condition, SQLite may update in the order of an index. Computed values of a unique property
    // are updated in the order of row IDs.
    let mayConflict = query.plan.filter != nil && columns.contains { schema.isUnique($0) }
    guard mayConflict || !query.plan.findsRowsByOwnValues else {
      return update + (try condition(query.plan))
    }
    var rows = query.plan
    rows.selection = []
    return update + " WHERE \"z_index\" IN (\(try select(query, nil, rows)))"
  }

  /// Renders the statement that inserts the new values into the temporary table of stored values.
  /// It runs before any row of the type is updated.
  mutating func storedValues(_ query: PreparedQuery, _ columns: [Int]) throws -> String {
    "INSERT INTO temp.\(StoredValues.table(columns.count)) \(try select(query, nil))"
  }

  /// Renders the update that sets columns to the values in the table of stored values.
  mutating func updateWithStoredValues(_ query: PreparedQuery, _ columns: [Int]) -> String {
    let name = query.schema.tableName.quoted
    let values = StoredValues.table(columns.count)
    let assignments = columns.enumerated().map { index, column in
      "\(query.schema.columns[column].name.quoted) = (SELECT \(values).\"\(index)\" "
        + "FROM temp.\(values) WHERE \(values).\"z_index\" = \(name).\"z_index\")"
    }
    return "UPDATE \(name) SET \(assignments.joined(separator: ", ")) "
      + "WHERE \"z_index\" IN (SELECT \"z_index\" FROM temp.\(values))"
  }

  /// Renders the new values of columns.
  mutating func assigned(
    _ values: [QueryExpression], to columns: [Int], of schema: ObjectSchema
  ) throws -> [String] {
    try zip(columns, values).map { column, value in
      let text = try assigned(value.tree).value.text
      return value.tree.isComputed ? Self.checked(text, schema.columns[column]) : text
    }
  }

  /// An expression that fails with SQLite's error for integer overflow, because the absolute value
  /// of the smallest integer is not an integer of 64 bits. It is evaluated for a computed number
  /// that its column cannot contain.
  private static let overflow = "abs(-9223372036854775807 - 1)"

  /// The smallest and the largest integer of a column; nil if it may contain all integers.
  private static func limits(of codec: ColumnCodec) -> (Int64, Int64)? {
    codec == .bool ? (0, 1) : codec.integerRange
  }

  private static func checked(_ text: String, _ column: ColumnSchema) -> String {
    let condition: String
    switch column.storageClass {
    case .integer:
      let range = limits(of: column.codec).map { " AND \(text) BETWEEN \($0) AND \($1)" } ?? ""
      condition = "typeof(\(text)) = 'integer'\(range)"
    case .real where column.codec == .float: return rounded(text)
    default: return text
    }
    return "CASE WHEN \(text) IS NULL OR (\(condition)) THEN \(text) "
      + "ELSE \(overflow) END"
  }

  /// Rounds a computed floating-point number to the nearest `Float`. Adding and subtracting a
  /// suitable large number removes the bits beyond the 24 bits of its significand.
  private static func rounded(_ text: String) -> String {
    let (largest, normal) = (Float.greatestFiniteMagnitude, Float.leastNormalMagnitude)
    let scaled = "(\(text)) * 536870913.0"
    let tiny = 1.5 * Double(sign: .plus, exponent: -97, significand: 1)
    return "CASE WHEN \(text) IS NULL OR abs(\(text)) = 9e999 THEN \(text) "
      + "WHEN abs(\(text)) < \(Double(normal)) THEN ((\(text)) + \(tiny)) - \(tiny) "
      + "WHEN abs(\(text)) <= \(Double(largest)) THEN (\(scaled)) - ((\(scaled)) - (\(text))) "
      + "ELSE \(overflow) END"
  }
}

extension ObjectSchema {
  /// Whether the values of a column are unique, alone or with those of others.
  fileprivate func isUnique(_ column: Int) -> Bool {
    column == primary
      || indexes.contains { $0.isUnique && $0.columns.contains(columns[column].name) }
  }
}

extension QueryDescription {
  /// Whether a row belongs to the query by its own values alone, so that a statement that writes needs no
  /// subquery.
  fileprivate var findsRowsByOwnValues: Bool {
    traversal == nil && search == nil && join == nil && combined == nil && topGroups == nil
      && groups.isEmpty && !hasLimitOrOffset && !(filter?.tree.reachesOtherRows ?? false)
  }
}

/// The temporary table for the new values of an update, if they are computed from rows other than
/// the updated one.
enum StoredValues {
  static func table(_ count: Int) -> String { "\"magic_values_\(count)\"" }

  static func columns(_ count: Int) -> String {
    (["\"z_index\" INTEGER PRIMARY KEY"] + (0..<count).map { "\"\($0)\"" })
      .joined(separator: ", ")
  }
}
