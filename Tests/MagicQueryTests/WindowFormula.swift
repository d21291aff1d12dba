import MagicQuery
import MagicTestSupport

/// The same window for the database and for Swift.
struct WindowFormula {
  typealias Row = MagicRow<PredicateNode>

  let name: String
  let window: (Row) -> MagicWindow<PredicateNode>
  let partition: Formula<Int?>?
  let orders: [(formula: Formula<Int?>, direction: MagicOrder)]
  let frame: ClosedRange<Int>?

  init(_ formulas: inout FormulaWorld, _ random: inout SeededRandom) {
    func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
    let partition = number(3) == 0 ? nil : formulas.integer(1)
    let orders = (0..<number(3)).map { _ in
      (formula: formulas.integer(1), direction: number(2) == 0 ? MagicOrder.ascending : .descending)
    }
    let first = number(5) - 3
    let frame = number(2) == 0 ? nil : first...first + number(4)
    (self.partition, self.orders, self.frame) = (partition, orders, frame)
    let sorts = orders.map { "\($0.formula.name) \($0.direction)" }
    name = "\(partition?.name ?? "all") \(sorts) \(frame.map { "\($0)" } ?? "")"
    window = { row in
      var window = partition.map { .partition(by: $0.expression(row)) } ?? MagicWindow.all
      for (formula, direction) in orders {
        window = window.order(by: formula.expression(row), direction)
      }
      return frame.map { window.rows($0) } ?? window
    }
  }

  /// Returns the nodes in the partition of each node, in order. The nodes are in the order of their
  /// row IDs.
  func partitions(of nodes: [PredicateNode]) -> [[PredicateNode]] {
    Dictionary(grouping: nodes) { node in partition.map { $0.value(node) } }.values.map { part in
      part.enumerated().sorted { left, right in
        let order = compare(left.element, right.element)
        return order == 0 ? left.offset < right.offset : order < 0
      }
      .map(\.element)
    }
  }

  /// Returns the order of two nodes: nil before all numbers, or after them if the order descends.
  func compare(_ left: PredicateNode, _ right: PredicateNode) -> Int {
    for (formula, direction) in orders {
      let (a, b) = (formula.value(left) ?? .min, formula.value(right) ?? .min)
      if a != b { return (a < b) == (direction == .ascending) ? -1 : 1 }
    }
    return 0
  }

  /// Returns the positions of the frame of a function.
  ///
  /// - Parameter isWhole: whether the function uses the whole partition if the window has no frame.
  func positions(at position: Int, of count: Int, isWhole: Bool) -> [Int] {
    guard let frame else {
      return isWhole || orders.isEmpty ? Array(0..<count) : Array(0...position)
    }
    return (0..<count).filter { frame.contains($0 - position) }
  }
}
