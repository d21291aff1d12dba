import MagicEngine

/// A function over a window, and its results for the rows or groups of a query.
final class ComputedWindow {
  private let function: WindowFunction
  private let operand: Computation?
  private let partition: [Computation]
  private let orders: [(key: Computation, isDescending: Bool)]
  private let frame: WindowFrame?
  private(set) var results: [StoredValue] = []

  init(
    _ function: WindowFunction, _ operand: Computation?, _ partition: [Computation],
    _ orders: [(key: Computation, isDescending: Bool)], _ frame: WindowFrame?
  ) {
    (self.function, self.operand, self.frame) = (function, operand, frame)
    (self.partition, self.orders) = (partition, orders)
  }

  func compute(_ frames: [QueryFrame]) throws {
    results = Array(repeating: .null, count: frames.count)
    let keys = try frames.map { frame in try orders.map { try $0.key(frame) } }
    let values = try frames.map { try operand?($0) ?? .null }
    let partitions = try Dictionary(grouping: frames.indices) { place in
      try partition.map { try $0(frames[place]) }
    }
    for places in partitions.values {
      let sorted = places.sorted {
        let order = compare(keys[$0], keys[$1])
        return order == 0 ? $0 < $1 : order < 0
      }
      // The position of the first row with the same orders, for each row.
      var peers: [Int] = []
      for position in sorted.indices {
        let isPeer =
          position > 0 && compare(keys[sorted[position - 1]], keys[sorted[position]]) == 0
        peers.append(isPeer ? peers[position - 1] : position)
      }
      let ordered = sorted.map { values[$0] }
      for position in sorted.indices {
        results[sorted[position]] = try result(at: position, ordered, peers)
      }
    }
  }

  private func compare(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
    for (index, order) in orders.enumerated() {
      let comparison = StoredValue.order(left[index], right[index])
      if comparison != 0 { return order.isDescending ? -comparison : comparison }
    }
    return 0
  }

  private func result(
    at position: Int, _ values: [StoredValue], _ peers: [Int]
  ) throws -> StoredValue {
    func value(at position: Int) -> StoredValue {
      values.indices.contains(position) ? values[position] : .null
    }
    let rows = used(by: position, of: values.count)
    return switch function {
    case .rank: .integer(Int64(peers[position] + 1))
    case .denseRank: .integer(Int64(Set(peers[...position]).count))
    case .rowNumber: .integer(Int64(position + 1))
    case .tile(let count): .integer(Int64(Self.tile(of: position, count, rows: values.count)))
    case .lag(let distance): value(at: position - distance)
    case .lead(let distance): value(at: position + distance)
    case .first: rows.first.map { values[$0] } ?? .null
    case .last: rows.last.map { values[$0] } ?? .null
    case .rowCount: .integer(Int64(rows.count))
    case .aggregate(let function): try function.result(Array(values[rows]))
    }
  }

  /// The positions of the frame of a row.
  private func used(by position: Int, of count: Int) -> Range<Int> {
    guard let frame else { return 0..<count }
    let first = Swift.min(count, Swift.max(0, frame.first.map { position + $0 } ?? 0))
    let last = Swift.min(count - 1, frame.last.map { position + $0 } ?? count - 1)
    return first..<Swift.max(first, last + 1)
  }

  private static func tile(of position: Int, _ count: Int, rows: Int) -> Int {
    let (size, larger) = rows.quotientAndRemainder(dividingBy: count)
    let inLarger = larger * (size + 1)
    return position < inLarger
      ? position / (size + 1) + 1 : larger + (position - inLarger) / Swift.max(size, 1) + 1
  }
}

extension QueryCompiler {
  mutating func window(
    _ function: WindowFunction, _ operand: ExpressionTree?, _ window: Window
  ) throws -> Computation {
    let operand = try operand.map { try compile($0) }
    let computed = try numbered(by: window, function, operand)
    windows.append(computed)
    return { frame in
      computed.results.indices.contains(frame.place) ? computed.results[frame.place] : .null
    }
  }

  /// A window, by default one that numbers its rows.
  mutating func numbered(
    by window: Window, _ function: WindowFunction = .rowNumber, _ operand: Computation? = nil
  ) throws -> ComputedWindow {
    var partition: [Computation] = []
    for key in window.partition { partition.append(try compile(key)) }
    var orders: [(key: Computation, isDescending: Bool)] = []
    for order in window.orders { orders.append((try compile(order.tree), order.isDescending)) }
    return ComputedWindow(function, operand, partition, orders, function.frame(in: window))
  }
}
