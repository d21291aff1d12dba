import MagicPostgreSQL
import MagicRequests
import MagicSQLText

extension QueryRenderer {
  /// Renders a function of the rows of a window.
  mutating func window(
    _ function: WindowFunction, _ operand: ExpressionTree?, _ window: Window
  ) throws -> SQLTerm {
    let operand = try operand.map { typed(try term($0)) }
    var partition: [String] = []
    for key in window.partition { partition.append(typed(try term(key)).key.text) }
    var orders: [String] = []
    var last = ""
    for order in window.orders {
      let term = typed(try term(order.tree))
      last = term.text
      orders.append(Self.sorted(term, isDescending: order.isDescending))
    }
    let frame = function.frame(in: window)
    // Rows with equal orders have a defined order, as they have in a result.
    if function.needsTotalOrder(in: frame) { orders += ties(last) }
    var parts: [String] = []
    if !partition.isEmpty { parts.append("PARTITION BY \(partition.joined(separator: ", "))") }
    if !orders.isEmpty { parts.append("ORDER BY \(orders.joined(separator: ", "))") }
    if let frame { parts.append(frame.sql) }
    return self.function(function, operand, over: " OVER (\(parts.joined(separator: " ")))")
  }

  /// Returns the orders that distinguish rows or groups with equal orders.
  private func ties(_ last: String) -> [String] {
    if !keys.isEmpty { return keys.map { Self.sorted($0.value, isDescending: false) } }
    let identity = identity(from: scopes.lastIndex { !$0.isJoined } ?? 0)
    return last == identity.first ? Array(identity.dropFirst()) : identity
  }

  private mutating func function(
    _ function: WindowFunction, _ operand: SQLTerm?, over window: String
  ) -> SQLTerm {
    let operand = operand ?? SQLTerm("", .bigint)
    func value(_ call: String) -> SQLTerm { operand.with("\(call)\(window)", mayBeNull: true) }
    func number(_ call: String) -> SQLTerm { SQLTerm("\(call)\(window)", .bigint) }
    switch function {
    case .rank: return number("rank()")
    case .denseRank: return number("dense_rank()")
    case .rowNumber: return number("row_number()")
    case .tile(let count): return SQLTerm("ntile(\(count))\(window)::bigint", .bigint)
    case .lag(let distance): return value("lag(\(operand.text), \(distance))")
    case .lead(let distance): return value("lead(\(operand.text), \(distance))")
    case .first: return value("first_value(\(operand.text))")
    case .last: return value("last_value(\(operand.text))")
    case .rowCount: return number("count(*)")
    case .aggregate(let function): return aggregate(function, of: operand, over: window)
    }
  }
}
