import MagicSchema
import MagicStore

extension QueryRenderer {
  mutating func deletion(_ call: QueryCall) throws -> String {
    let rows = try select(call, nil)
    return "DELETE FROM \(call.schema.tableName.quoted) WHERE \"z_index\" IN (\(rows))"
  }

  /// Sets columns of the rows that a query finds. What they are set to may be computed of the row
  /// and of what it leads to.
  mutating func update(_ call: QueryCall, _ columns: [Int]) throws -> String {
    let schema = call.schema
    let table = try table(schema)
    var assignments: [String] = []
    for (column, value) in zip(columns, call.plan.selection) {
      scopes = [
        RowScope(
          id: Scope.root, schema: schema, table: table, alias: schema.tableName.quoted)
      ]
      var text = try term(value).value.text
      if !scopes[0].joinText.isEmpty {
        text = "(SELECT \(text) FROM (SELECT 1) AS \(alias())\(scopes[0].joinText))"
      }
      let checked = value.isComputed ? Self.checked(text, schema.columns[column]) : text
      assignments.append("\(schema.columns[column].name.quoted) = \(checked)")
    }
    var rows = call.plan
    rows.selection = []
    return "UPDATE \(schema.tableName.quoted) SET \(assignments.joined(separator: ", ")) "
      + "WHERE \"z_index\" IN (\(try select(call, nil, rows)))"
  }

  /// A computed number that a column holds; any other ends the statement with SQLite's error for
  /// an integer that is too large, which `abs` makes of the smallest one.
  private static func checked(_ text: String, _ column: ColumnSchema) -> String {
    let condition: String
    switch column.storageClass {
    case .integer:
      let range = column.codec.range.map { " AND \(text) BETWEEN \($0) AND \($1)" } ?? ""
      condition = "typeof(\(text)) = 'integer'\(range)"
    case .real where column.codec == .float:
      condition = "abs(\(text)) <= \(Double(Float.greatestFiniteMagnitude)) OR abs(\(text)) = 9e999"
    default: return text
    }
    return "CASE WHEN \(text) IS NULL OR (\(condition)) THEN \(text) "
      + "ELSE abs(-9223372036854775807 - 1) END"
  }
}

extension ExpressionCode {
  /// Whether it is a number that may be out of its type's range.
  fileprivate var isComputed: Bool {
    switch operation {
    case .add, .subtract, .multiply, .divide, .negate: true
    default: false
    }
  }
}

extension ColumnCodec {
  /// The smallest and the largest integer of the type; nil for those of 64 bits.
  fileprivate var range: (Int64, Int64)? {
    switch self {
    case .bool: (0, 1)
    case .int8: (Int64(Int8.min), Int64(Int8.max))
    case .int16: (Int64(Int16.min), Int64(Int16.max))
    case .int32: (Int64(Int32.min), Int64(Int32.max))
    case .uint8: (0, Int64(UInt8.max))
    case .uint16: (0, Int64(UInt16.max))
    case .uint32: (0, Int64(UInt32.max))
    case .uint, .uint64: (0, Int64.max)
    default: nil
    }
  }
}
