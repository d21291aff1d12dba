import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// Renders a predicate on text. Texts are compared byte by byte, because their collation is "C".
  mutating func textTest(_ test: TextTest, _ text: SQLTerm) throws -> SQLTerm {
    let text = cast(text.value, to: .text)
    let operand = text.operand
    switch test {
    case .prefix:
      return SQLTerm.condition("\(operand) >= \(try parameter(.text))", mayBeNull: text.mayBeNull)
    case .prefixRange:
      // A range comparison, for which an index can be used.
      let start = "\(operand) >= \(try parameter(.text))"
      return SQLTerm.condition(
        "\(start) AND \(operand) < \(try parameter(.text))", .and, mayBeNull: text.mayBeNull)
    case .suffix:
      let suffix = try parameter(.text)
      return SQLTerm.condition(
        "right(\(text.text), length(\(suffix))) = \(suffix)", mayBeNull: text.mayBeNull)
    case .substring:
      return SQLTerm.condition(
        "strpos(\(text.text), \(try parameter(.text))) > 0", mayBeNull: text.mayBeNull)
    case .pattern:
      // In the collation "C", only the letters A to Z are converted.
      let pattern = "$\(try parameter(.likePattern, .text))"
      return SQLTerm.condition(
        "\(operand) ILIKE (\(pattern) COLLATE \"C\")", mayBeNull: text.mayBeNull)
    case .exactPattern:
      let pattern = "$\(try parameter(.globPattern, .text))"
      return SQLTerm.condition(
        "\(operand) LIKE (\(pattern) COLLATE \"C\")", mayBeNull: text.mayBeNull)
    }
  }

  /// Renders a condition in SQL. The names of the type's columns are qualified, so that they are
  /// unambiguous in a statement with joins.
  mutating func fragment(_ fragment: SQLFragment) throws -> SQLTerm {
    (mayFail, hasFragment) = (true, true)
    let root = ColumnPath(scope: fragment.scope, type: fragment.type, property: ColumnPath.rowID)
    let scope = scopes[try scope(of: root)]
    let schema = scope.schema
    let parts = try FragmentReader.parts(of: fragment, schema, dialect: .postgreSQL)
    let isCollated = try parts.contains { part in
      guard case .column(let property) = part else { return false }
      return try isCollatedColumn(property, of: schema)
    }
    var sql = ""
    for part in parts {
      switch part {
      case .text(let text): sql += text
      case .column(let property) where try isCollatedColumn(property, of: schema):
        // The collation of the column is that of the comparisons that the condition has.
        sql += scope.root.column(property)
      case .column(let property):
        sql += try column(
          ColumnPath(scope: fragment.scope, type: fragment.type, property: property)
        ).operand
      case .parameter:
        let value = try parameter()
        // NULL is written without a type.
        let text = value.type == nil ? value.text : typed(value).operand
        // A collation of the value would be used instead of that of the column.
        sql += isCollated && value.type == .text ? "$\(position)::text" : text
      }
    }
    return SQLTerm.condition("(\(sql))", .atom, mayBeNull: true)
  }

  private func isCollatedColumn(_ property: Int, of schema: ObjectSchema) throws -> Bool {
    guard schema.columns.indices.contains(property) else { return false }
    return schema.columns[property].collation != nil
  }
}
