import MagicSchema
import MagicStore
import SQLiteTables

extension QueryRenderer {
  mutating func deletion(_ call: PreparedQuery) throws -> String {
    let rows = try select(call, nil)
    return "DELETE FROM \(call.schema.tableName.quoted) WHERE \"z_index\" IN (\(rows))"
  }

  /// Sets columns of the rows that a query finds to what is computed of each row alone.
  mutating func update(_ call: PreparedQuery, _ columns: [Int]) throws -> String {
    let schema = call.schema
    let table = try table(schema)
    scopes = [
      RowScope(id: Scope.root, schema: schema, table: table, alias: schema.tableName.quoted)
    ]
    let values = try assigned(call.plan.selection, to: columns, of: schema)
    let assignments = zip(columns, values).map { column, value in
      "\(schema.columns[column].name.quoted) = \(value)"
    }
    var rows = call.plan
    rows.selection = []
    return "UPDATE \(schema.tableName.quoted) SET \(assignments.joined(separator: ", ")) "
      + "WHERE \"z_index\" IN (\(try select(call, nil, rows)))"
  }

  /// Puts what columns will be set to into the table of new values, computed while no row of the
  /// type's has changed yet.
  mutating func newValues(_ call: PreparedQuery, _ columns: [Int]) throws -> String {
    "INSERT INTO temp.\(NewValues.table(columns.count)) \(try select(call, nil))"
  }

  /// Sets columns to what lies in the table of new values.
  mutating func updateWithNewValues(_ call: PreparedQuery, _ columns: [Int]) -> String {
    let name = call.schema.tableName.quoted
    let values = NewValues.table(columns.count)
    let assignments = columns.enumerated().map { index, column in
      "\(call.schema.columns[column].name.quoted) = (SELECT \(values).\"\(index)\" "
        + "FROM temp.\(values) WHERE \(values).\"z_index\" = \(name).\"z_index\")"
    }
    return "UPDATE \(name) SET \(assignments.joined(separator: ", ")) "
      + "WHERE \"z_index\" IN (SELECT \"z_index\" FROM temp.\(values))"
  }

  /// The values that columns are set to.
  mutating func assigned(
    _ values: [ExpressionCode], to columns: [Int], of schema: ObjectSchema
  ) throws -> [String] {
    try zip(columns, values).map { column, value in
      let text = try term(value).value.text
      return value.isComputed ? Self.checked(text, schema.columns[column]) : text
    }
  }

  /// A computed number that a column holds; any other ends the statement with SQLite's error for
  /// an integer that is too large, which `abs` makes of the smallest one.
  private static let overflow = "abs(-9223372036854775807 - 1)"

  private static func checked(_ text: String, _ column: ColumnSchema) -> String {
    let condition: String
    switch column.storageClass {
    case .integer:
      let range = column.codec.range.map { " AND \(text) BETWEEN \($0) AND \($1)" } ?? ""
      condition = "typeof(\(text)) = 'integer'\(range)"
    case .real where column.codec == .float: return rounded(text)
    default: return text
    }
    return "CASE WHEN \(text) IS NULL OR (\(condition)) THEN \(text) "
      + "ELSE \(overflow) END"
  }

  /// A computed real as the nearest `Float`: the bits beyond its 24 are lost by adding and
  /// taking away a number that leaves no room for them.
  private static func rounded(_ text: String) -> String {
    let (largest, normal) = (Float.greatestFiniteMagnitude, Float.leastNormalMagnitude)
    let many = "(\(text)) * 536870913.0"
    let tiny = 1.5 * Double(sign: .plus, exponent: -97, significand: 1)
    return "CASE WHEN \(text) IS NULL OR abs(\(text)) = 9e999 THEN \(text) "
      + "WHEN abs(\(text)) < \(Double(normal)) THEN ((\(text)) + \(tiny)) - \(tiny) "
      + "WHEN abs(\(text)) <= \(Double(largest)) THEN (\(many)) - ((\(many)) - (\(text))) "
      + "ELSE \(overflow) END"
  }
}

/// Where the new values of an update lie that are computed of other rows than the changed one.
enum NewValues {
  static func table(_ count: Int) -> String { "\"magic_values_\(count)\"" }

  static func columns(_ count: Int) -> String {
    (["\"z_index\" INTEGER PRIMARY KEY"] + (0..<count).map { "\"\($0)\"" })
      .joined(separator: ", ")
  }
}

extension ExpressionCode {
  /// Whether it is computed of other rows than its own.
  var reachesOtherRows: Bool {
    get throws {
      var reader = ExpressionDecoder(self)
      while !reader.isAtEnd {
        switch try reader.operation() {
        case .column: if try reader.place().steps.count > 1 { return true }
        case .and, .or, .hasPrefix, .inValues: _ = try reader.next()
        case .hasMember, .hasMemberWhere, .hasMemberExcept, .hasObject, .memberCount,
          .memberCountWhere:
          return true
        default: break
        }
      }
      return false
    }
  }

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
