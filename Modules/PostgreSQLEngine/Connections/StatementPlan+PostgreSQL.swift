import Foundation
import MagicEngine
import MagicPostgreSQL
import MagicSchema

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
    return StatementPlan(sql: sql, steps: plans.map { $0.plan.step }, suggestions: [])
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

    var step: StatementPlan.Step {
      // The index of a bitmap scan is in the node below.
      let index = index ?? (kind == "Bitmap Heap Scan" ? nodes?.compactMap(\.index).first : nil)
      let isScan = kind == "Seq Scan" || kind == "Sample Scan"
      return StatementPlan.Step(
        text: [kind, table.map { "on \($0)" }, index.map { "using \($0)" }].compactMap { $0 }
          .joined(separator: " "),
        table: table, access: table == nil ? nil : (isScan ? .scan : .search), index: index,
        makesIndex: false,
        usesTemporaryTree: ["Sort", "Incremental Sort", "Hash", "HashAggregate", "Materialize"]
          .contains(kind),
        steps: (nodes ?? []).map(\.step))
    }
  }
}
