import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLQueries
import PostgreSQLTables

extension EngineSession {
  /// Returns the plan of a statement with the values of ``fields``.
  func explain(
    _ sql: String, _ types: [PostgreSQLType], _ schema: ObjectSchema?
  ) throws -> StatementPlan {
    let statement = PostgreSQLStatement("EXPLAIN (FORMAT JSON) \(sql)", types, runsOnce: true)
    let result =
      schema == nil ? try connection.run(statement, fields) : try run(statement, schema)
    let text = result.count > 0 ? result.text(0, 0) : "[]"
    return StatementPlan(
      sql: sql, steps: try PlanDocument.steps(of: text, indexName), suggestions: [])
  }

  /// Returns the name of an index as its type declares it, `Person(name)`; nil for a primary key.
  private func indexName(_ index: String, of table: String) -> String? {
    if index == table + "_pkey" { return nil }
    if let schema = context.owners.type(of: table) {
      if let computed = TableDefinition.computedIndex(named: index, of: schema) {
        return computed.name
      }
      let columns = TableDefinition.columns(ofConstraint: index, in: schema)
        .map { schema.columns[$0].name }
      if !columns.isEmpty {
        return IndexSchema(table: table, columns: columns, isUnique: false).name
      }
    }
    let members = ["target", "owner"]
    let isOfMembers = [false, true].contains {
      TableDefinition.index(members, of: table, isUnique: $0) == index
    }
    return isOfMembers
      ? IndexSchema(table: table, columns: members, isUnique: false).name : index
  }
}
