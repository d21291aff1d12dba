import Foundation
import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

extension EngineSession {
  /// Returns the plan of a statement with the values of ``fields``.
  func explain(
    _ sql: String, _ types: [PostgreSQLType], _ schema: ObjectSchema?
  ) throws -> StatementPlan {
    let statement = PostgreSQLStatement("EXPLAIN (FORMAT JSON) \(sql)", types)
    queries.retire(statement)
    let result =
      schema == nil ? try connection.run(statement, fields) : try run(statement, schema)
    let text = result.count > 0 ? result.text(0, 0) : "[]"
    let plans = try JSONDecoder().decode([PlanDocument].self, from: Data(text.utf8))
    let steps = plans.map { $0.plan.step(nil, indexName) }
    return StatementPlan(sql: sql, steps: steps, suggestions: [])
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

/// The output of EXPLAIN.
private struct PlanDocument: Decodable {
  let plan: Node

  enum CodingKeys: String, CodingKey { case plan = "Plan" }

  struct Node: Decodable {
    let kind: String
    let table: String?
    let index: String?
    let nodes: [Node]?

    enum CodingKeys: String, CodingKey {
      case kind = "Node Type"
      case table = "Relation Name"
      case index = "Index Name"
      case nodes = "Plans"
    }

    /// - Parameters:
    ///   - outer: the table of the node above, which a scan of an index alone does not name.
    ///   - name: returns the name of an index of a table; nil for a primary key.
    func step(
      _ outer: String?, _ name: (_ index: String, _ table: String) -> String?
    ) -> StatementPlan.Step {
      // The index of a bitmap scan is in the node below.
      let key = index ?? (kind == "Bitmap Heap Scan" ? nodes?.compactMap(\.index).first : nil)
      let index = key.flatMap { key in (table ?? outer).map { name(key, $0) } ?? key }
      let isScan = kind == "Seq Scan" || kind == "Sample Scan"
      return StatementPlan.Step(
        text: [kind, table.map { "on \($0)" }, (index ?? key).map { "using \($0)" }].compactMap {
          $0
        }
        .joined(separator: " "),
        table: table, access: table == nil ? nil : (isScan ? .scan : .search), index: index,
        makesIndex: false,
        usesTemporaryTree: ["Sort", "Incremental Sort", "Hash", "HashAggregate", "Materialize"]
          .contains(kind),
        steps: (nodes ?? []).map { $0.step(table, name) })
    }
  }
}
