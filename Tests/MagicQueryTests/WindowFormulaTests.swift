import EngineConformance
import MagicQuery
import MagicTestSupport
import Testing

/// Random windows have the same results in the database and in Swift.
@Suite(.everyEngine) struct WindowFormulaTests {
  private typealias Value = MagicExpression<PredicateNode, Int?>

  private let test: TestStore

  init() throws { test = try TestStore() }

  private func world(_ seed: UInt64) throws -> (FormulaWorld, [PredicateNode]) {
    let formulas = FormulaWorld(seed: seed)
    try test.store.update(contentsOf: formulas.world.nodes)
    try test.store.update(contentsOf: formulas.world.leaves)
    let nodes = formulas.world.nodes.sorted {
      ($0.zIndex?.rawValue ?? 0) < ($1.zIndex?.rawValue ?? 0)
    }
    return (formulas, nodes)
  }

  @Test(arguments: 6...8) func randomWindowsHaveTheResultsOfSwift(_ seed: UInt64) throws {
    var (formulas, nodes) = try world(seed)
    var random = SeededRandom(seed &+ 2_000)
    for _ in 0..<TestedEngine.rounds(60) {
      let window = WindowFormula(&formulas, &random)
      let (operand, question) = (formulas.integer(2), formulas.world.question(1))
      let distance = Int.random(in: 0..<3, using: &random)
      let query = test.store.query(PredicateNode.self).where(question.predicate)
      let rows = try query.select { row in
        let over = window.window(row)
        let value = operand.expression(row)
        return (
          row.zIndex, row.rank(over: over), row.denseRank(over: over), row.rowNumber(over: over),
          row.ntile(distance + 1, over: over), row.count(over: over), value.sum(over: over),
          value.max(over: over), value.average(over: over), value.lag(distance, over: over),
          value.lead(distance, over: over), value.firstValue(over: over),
          value.lastValue(over: over)
        )
      }.all()
      let found = nodes.filter(question.isTrue)
      try #require(rows.count == found.count)
      var results: [ZIndex: [Double?]] = [:]
      for row in rows {
        let counts = [row.1, row.2, row.3, row.4, row.5, row.6].map { Double($0) }
        let others = [row.9, row.10, row.11, row.12].map { $0.map { Double($0) } }
        results[row.0] = counts + [row.7.map { Double($0) }, row.8] + others
      }
      for part in window.partitions(of: found) {
        for position in part.indices {
          let expected = expected(at: position, part, window, operand, distance)
          let zIndex = try #require(part[position].zIndex)
          try #require(
            results[zIndex] == expected, "\(operand.name) over \(window.name), \(position)")
        }
      }
    }
  }

  /// The results of all functions for a row of a partition.
  private func expected(
    at position: Int, _ part: [PredicateNode], _ window: WindowFormula, _ operand: Formula<Int?>,
    _ distance: Int
  ) -> [Double?] {
    let values = part.map { operand.value($0).map { Double($0) } }
    func value(at position: Int) -> Double? {
      values.indices.contains(position) ? values[position] : nil
    }
    let before = part.filter { window.compare($0, part[position]) < 0 }
    let steps = zip(before, before.dropFirst()).filter { window.compare($0, $1) != 0 }.count
    let (size, larger) = part.count.quotientAndRemainder(dividingBy: distance + 1)
    let parts = (0...distance).flatMap { part in
      Array(repeating: part + 1, count: size + (part < larger ? 1 : 0))
    }
    let frame = window.positions(at: position, of: part.count, isWhole: false)
    let inFrame = frame.compactMap { values[$0] }
    let whole = window.positions(at: position, of: part.count, isWhole: true)
    let numbers = [
      before.count + 1, before.isEmpty ? 1 : steps + 2, position + 1, parts[position], frame.count,
    ]
    let sum = inFrame.reduce(0, +)
    return numbers.map { Double($0) } + [
      sum, inFrame.max(), inFrame.isEmpty ? nil : sum / Double(inFrame.count),
      value(at: position - distance), value(at: position + distance),
      whole.first.flatMap { values[$0] }, whole.last.flatMap { values[$0] },
    ]
  }

  @Test(arguments: 9...10) func randomTopsAreThoseOfSwift(_ seed: UInt64) throws {
    var (formulas, nodes) = try world(seed)
    var random = SeededRandom(seed &+ 3_000)
    for _ in 0..<60 {
      var window = WindowFormula(&formulas, &random)
      while window.frame != nil { window = WindowFormula(&formulas, &random) }
      let (before, after) = (formulas.world.question(2), formulas.world.question(2))
      let count = Int.random(in: 0..<4, using: &random)
      let query = test.store.query(PredicateNode.self).where(before.predicate)
        .top(count, over: window.window).where(after.predicate)
      let expected = window.partitions(of: nodes.filter(before.isTrue))
        .flatMap { $0.prefix(count) }.filter(after.isTrue).compactMap(\.zIndex)
      try #require(
        Set(query.select { $0.zIndex }.all()) == Set(expected), "\(before.name) \(window.name)")
      try #require(try query.count() == expected.count)
    }
  }
}
