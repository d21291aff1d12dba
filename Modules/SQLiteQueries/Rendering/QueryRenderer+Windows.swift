import MagicEngine
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// Renders a function of the rows of a window.
  mutating func window(
    _ function: WindowFunction, _ operand: ExpressionTree?, _ window: Window
  ) throws -> SQLTerm {
    let isReal = operand.map(isReal) ?? false
    let operand = try operand.map { try term($0).value.text } ?? ""
    var partition: [String] = []
    for key in window.partition { partition.append(try term(key).value.text) }
    var orders: [String] = []
    for order in window.orders {
      orders.append(try term(order.tree).value.text + (order.isDescending ? " DESC" : ""))
    }
    let frame = function.frame(in: window)
    // Rows with equal orders have a defined order, as they have in a result.
    if function.needsTotalOrder(in: frame) { orders += ties(orders) }
    var parts: [String] = []
    if !partition.isEmpty { parts.append("PARTITION BY \(partition.joined(separator: ", "))") }
    if !orders.isEmpty { parts.append("ORDER BY \(orders.joined(separator: ", "))") }
    if let frame { parts.append(frame.sql) }
    let over = " OVER (\(parts.joined(separator: " ")))"
    // SQLite's functions subtract the values that leave the frame, with a loss of digits.
    let moves = frame?.first != nil
    switch function {
    case .aggregate(.average) where moves:
      return SQLTerm("magic_average(\(operand))\(over)", mayBeNull: true)
    // Without ifnull: a sum of infinities of both signs is NULL, as in an aggregate of rows.
    case .aggregate(.sum) where isReal:
      return SQLTerm("\(moves ? "magic_sum" : "total")(\(operand))\(over)", mayBeNull: true)
    default: return try Self.function(function, operand, over: over)
    }
  }

  /// Returns the orders that distinguish rows or groups with equal orders.
  private func ties(_ orders: [String]) -> [String] {
    if !keys.isEmpty { return keys.map(\.value.text) }
    let identity = identity(from: scopes.lastIndex { !$0.isJoined } ?? 0)
    return orders.last == identity.first ? Array(identity.dropFirst()) : identity
  }

  private static func function(
    _ function: WindowFunction, _ operand: String, over window: String
  ) throws -> SQLTerm {
    switch function {
    case .rank: SQLTerm("rank()\(window)")
    case .denseRank: SQLTerm("dense_rank()\(window)")
    case .rowNumber: SQLTerm("row_number()\(window)")
    case .tile(let count): SQLTerm("ntile(\(count))\(window)")
    case .lag(let distance): SQLTerm("lag(\(operand), \(distance))\(window)", mayBeNull: true)
    case .lead(let distance): SQLTerm("lead(\(operand), \(distance))\(window)", mayBeNull: true)
    case .first: SQLTerm("first_value(\(operand))\(window)", mayBeNull: true)
    case .last: SQLTerm("last_value(\(operand))\(window)", mayBeNull: true)
    case .rowCount: SQLTerm("count(*)\(window)")
    case .aggregate(.sum): SQLTerm("ifnull(sum(\(operand))\(window), 0)")
    case .aggregate(.minimum): SQLTerm("min(\(operand))\(window)", mayBeNull: true)
    case .aggregate(.maximum): SQLTerm("max(\(operand))\(window)", mayBeNull: true)
    case .aggregate(.average): SQLTerm("avg(\(operand))\(window)", mayBeNull: true)
    case .aggregate(.distinctCount): throw MagicError.malformedQuery
    case .aggregate(.percentile(let fraction)):
      SQLTerm("magic_percentile(\(operand), \(fraction))\(window)", mayBeNull: true)
    }
  }
}
