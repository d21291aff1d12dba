extension AggregateFunction {
  /// Numbers that identify the function in hashes.
  var numbers: (Int, Int) {
    switch self {
    case .sum: (0, 0)
    case .minimum: (1, 0)
    case .maximum: (2, 0)
    case .average: (3, 0)
    case .distinctCount: (4, 0)
    case .percentile(let fraction): (5, Int(truncatingIfNeeded: fraction.bitPattern))
    }
  }

  func hash(from first: Int, into hasher: inout ShapeHasher) {
    let (kind, number) = numbers
    hasher.combine(first + kind)
    if number != 0 { hasher.combine(number) }
  }
}

extension AggregateFunction {
  func hash(from first: Int, _ operand: ExpressionTree, into hasher: inout ShapeHasher) {
    hash(from: first, into: &hasher)
    operand.hash(into: &hasher)
  }
}

extension MemberFunction {
  func hash(from first: Int, into hasher: inout ShapeHasher) {
    switch self {
    case .exists: hasher.combine(first)
    case .count: hasher.combine(first + 1)
    case .includes: hasher.combine(first + 2)
    case .first: hasher.combine(first + 3)
    case .joined: hasher.combine(first + 4)
    case .sum, .minimum, .maximum, .average, .distinctCount, .percentile:
      aggregate?.hash(from: first + 5, into: &hasher)
    }
  }
}
