import MagicEngine
import MagicSchema

// The operations of expressions, on values.

extension ComparisonOperator {
  /// Whether the comparison is true. NULL equals only NULL, and is neither less nor greater than
  /// any value.
  func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
    let order = StoredValue.order(left, right)
    switch self {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard !left.isNull, !right.isNull else { return false }
    }
    return switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }
}

extension ArithmeticOperator {
  /// The result of the operation. The result of a division by zero, and NaN, is NULL.
  ///
  /// - Throws: `MagicError` with `.cannotEncode` if a result of integers exceeds 64 bits.
  func result(_ left: StoredValue, _ right: StoredValue) throws -> StoredValue {
    guard !left.isNull, !right.isNull else { return .null }
    if case .integer(let left) = left, case .integer(let right) = right {
      if self == .divide || self == .remainder, right == 0 { return .null }
      let (result, overflow) =
        switch self {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: (right == -1 ? 0 : left % right, false)
        }
      if overflow { throw MagicError.outOfRange }
      return .integer(result)
    }
    let (left, right) = (left.real, right.real)
    if self == .divide, right == 0 { return .null }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      case .remainder: left.truncatingRemainder(dividingBy: right)
      }
    return result.isNaN ? .null : .real(result)
  }
}

extension AggregateFunction {
  /// The aggregate of the values of many rows, ignoring NULLs.
  ///
  /// - Throws: `MagicError` with `.cannotEncode` if a sum of integers exceeds 64 bits.
  func result(_ values: [StoredValue]) throws -> StoredValue {
    let values = values.filter { !$0.isNull }
    switch self {
    case .minimum: return values.min { StoredValue.order($0, $1) < 0 } ?? .null
    case .maximum: return values.max { StoredValue.order($0, $1) < 0 } ?? .null
    case .average:
      return values.isEmpty ? .null : Self.realSum(values, divisor: Double(values.count))
    case .distinctCount: return .integer(Int64(Set(values).count))
    case .percentile(let fraction): return Self.percentile(fraction, values.map(\.real))
    case .sum:
      var sum: Int64 = 0
      for value in values {
        guard case .integer(let integer) = value else { return Self.realSum(values) }
        let (next, overflow) = sum.addingReportingOverflow(integer)
        if overflow { throw MagicError.outOfRange }
        sum = next
      }
      return .integer(sum)
    }
  }

  /// The number below which a part of the numbers is. Between two numbers it is interpolated.
  private static func percentile(_ fraction: Double, _ numbers: [Double]) -> StoredValue {
    guard !numbers.isEmpty else { return .null }
    let sorted = numbers.sorted()
    let place = Double(sorted.count - 1) * fraction
    let (low, high) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
    let part = place.truncatingRemainder(dividingBy: 1)
    guard low != high else { return .real(low) }
    let isFar = !(high - low).isFinite
    let result = isFar ? low * (1 - part) + high * part : low + part * (high - low)
    return result.isNaN ? .null : .real(result)
  }

  /// The sum by Neumaier's algorithm, which compensates the rounding error of each addition. NULL
  /// if it is NaN.
  private static func realSum(_ values: [StoredValue], divisor: Double = 1) -> StoredValue {
    var (sum, lost) = (0.0, 0.0)
    for value in values.map(\.real) {
      let next = sum + value
      lost += abs(sum) >= abs(value) ? (sum - next) + value : (value - next) + sum
      sum = next
    }
    let result = (lost.isFinite ? sum + lost : sum) / divisor
    return result.isNaN ? .null : .real(result)
  }
}

extension MagicError {
  static var outOfRange: MagicError {
    MagicError(.cannotEncode, "A computed number is outside the range of its type.")
  }
}
