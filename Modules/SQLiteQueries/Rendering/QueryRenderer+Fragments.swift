import MagicEngine
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// Renders a condition in SQL. The names of the type's columns are qualified, so that they are
  /// unambiguous in a statement with joins.
  mutating func fragment(_ fragment: SQLFragment) throws -> SQLTerm {
    let root = ColumnPath(scope: fragment.scope, type: fragment.type, property: ColumnPath.rowID)
    let schema = scopes[try scope(of: root)].schema
    var sql = ""
    for part in try FragmentReader.parts(of: fragment, schema, dialect: .sqlite) {
      switch part {
      case .text(let text): sql += text
      case .column(let property):
        sql += try column(
          ColumnPath(scope: fragment.scope, type: fragment.type, property: property)
        ).operand
      case .parameter: sql += parameter()
      }
    }
    return SQLTerm("(\(sql))", mayBeNull: true)
  }
}
