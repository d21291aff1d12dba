import EngineConformance
import Foundation
import MagicQuery
import SQLiteStore
import Testing

/// Random computations have the same results in the database and in Swift.
@Suite(.everyEngine) struct FormulaTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func world(_ seed: UInt64) throws -> FormulaWorld {
    let formulas = FormulaWorld(seed: seed)
    try test.store.update(contentsOf: formulas.world.nodes)
    try test.store.update(contentsOf: formulas.world.leaves)
    return formulas
  }

  private func expect<Value>(
    _ formula: Formula<Value>, _ formulas: FormulaWorld, _ isEqual: (Value, Value) -> Bool
  ) throws {
    let nodes = Dictionary(
      uniqueKeysWithValues: formulas.world.nodes.compactMap { node in
        node.zIndex.map { ($0, node) }
      })
    let query = test.store.query(PredicateNode.self).select { ($0.zIndex, formula.expression($0)) }
    let rows = try query.all()
    try #require(rows.count == nodes.count)
    for (zIndex, value) in rows {
      let expected = formula.value(try #require(nodes[zIndex]))
      try #require(isEqual(value, expected), "\(formula.name): \(value), not \(expected)")
    }
  }

  @Test(arguments: 1...3) func randomComputationsHaveTheResultsOfSwift(_ seed: UInt64) throws {
    var formulas = try world(seed)
    for _ in 0..<TestedEngine.rounds(150) {
      try expect(formulas.integer(3), formulas) { $0 == $1 }
      try expect(formulas.real(3), formulas) { $0 == $1 }
      try expect(formulas.text(3), formulas) {
        $0.map { Array($0.utf8) } == $1.map { Array($0.utf8) }
      }
    }
  }

  @Test(arguments: 4...5) func randomGroupsHaveTheAggregatesOfSwift(_ seed: UInt64) throws {
    var formulas = try world(seed)
    let nodes = formulas.world.nodes
    for _ in 0..<TestedEngine.rounds(100) {
      let (key, number, condition) = (
        formulas.integer(2), formulas.integer(2), formulas.world.question(2)
      )
      let found = nodes.filter(condition.isTrue)
      let expected = Dictionary(grouping: found, by: key.value)
      let query = test.store.query(PredicateNode.self).where(condition.predicate)
      let groups = try query.grouped(by: key.expression).order(byKey: .descending).select {
        (
          $0.count, $0.sum(number.expression), $0.max(number.expression),
          $0.count(distinct: number.expression)
        )
      }.all()
      let keys = expected.keys.sorted { ($0 ?? .min) > ($1 ?? .min) }
      try #require(groups.map(\.key) == keys, "\(key.name)")
      for group in groups {
        let numbers = (expected[group.key] ?? []).map(number.value)
        let values = numbers.compactMap { $0 }
        let aggregates = (numbers.count, values.reduce(0, +), values.max(), Set(values).count)
        try #require(group.values == aggregates, "\(key.name), \(number.name)")
      }
    }
  }
}
