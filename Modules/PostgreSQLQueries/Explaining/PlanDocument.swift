import Foundation
package import MagicRequests

/// The output of EXPLAIN.
package struct PlanDocument: Decodable {
  private let plan: Node

  /// Returns the steps of a plan.
  ///
  /// - Parameters:
  ///   - json: the output of `EXPLAIN (FORMAT JSON)`.
  ///   - name: returns the name of an index of a table; nil for a primary key.
  package static func steps(
    of json: String, _ name: (_ index: String, _ table: String) -> String?
  ) throws -> [StatementPlan.Step] {
    try JSONDecoder().decode([PlanDocument].self, from: Data(json.utf8))
      .map { $0.plan.step(nil, name) }
  }

  private enum CodingKeys: String, CodingKey { case plan = "Plan" }

  private struct Node: Decodable {
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
