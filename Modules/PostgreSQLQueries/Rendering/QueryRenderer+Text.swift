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
    let schema = scopes[try scope(of: root)].schema
    var sql = ""
    for part in try FragmentReader.parts(of: fragment, schema, dialect: .postgreSQL) {
      switch part {
      case .text(let text): sql += text
      case .column(let property):
        sql += try column(
          ColumnPath(scope: fragment.scope, type: fragment.type, property: property)
        ).operand
      case .parameter:
        let value = try parameter()
        // NULL is written without a type.
        sql += value.type == nil ? value.text : typed(value).operand
      }
    }
    return SQLTerm.condition("(\(sql))", .atom, mayBeNull: true)
  }
}
