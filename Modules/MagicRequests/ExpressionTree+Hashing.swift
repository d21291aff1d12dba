import MagicSchema

/// Computes the hash of a query's shape.
///
/// The hash is computed each time a query runs, so each integer is mixed with one multiplication. A
/// collision costs only a comparison, because shapes with equal hashes are always compared.
package struct ShapeHasher {
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  @inline(__always)
  package mutating func combine(_ value: Int) {
    let mixed = (hash ^ UInt64(bitPattern: Int64(value))) &* 0x9E37_79B9_7F4A_7C15
    hash = mixed ^ (mixed &>> 29)
  }

  package mutating func combine(_ values: [Int]) {
    combine(values.count)
    for value in values { combine(value) }
  }

  package mutating func combine(_ trees: [ExpressionTree]) {
    combine(trees.count)
    for tree in trees { tree.hash(into: &self) }
  }

  mutating func combine(_ terms: [ExpressionTree.SortTerm]) {
    combine(terms.count)
    for term in terms {
      combine(term.isDescending ? 1 : 0)
      term.tree.hash(into: &self)
    }
  }
}

extension ExpressionTree {
  package func hash(into hasher: inout ShapeHasher) {
    switch self {
    case .column(let path):
      hasher.combine(1)
      path.hash(into: &hasher)
    case .value: hasher.combine(2)
    case .null: hasher.combine(3)
    case .rowCount: hasher.combine(4)
    case .and(let operands):
      hasher.combine(5)
      hasher.combine(operands)
    case .or(let operands):
      hasher.combine(6)
      hasher.combine(operands)
    case .not(let operand): operand.hash(as: 7, into: &hasher)
    case .isNull(let operand): operand.hash(as: 8, into: &hasher)
    case .isNotNull(let operand): operand.hash(as: 9, into: &hasher)
    case .negative(let operand): operand.hash(as: 10, into: &hasher)
    case .inList(let operand): operand.hash(as: 11, into: &hasher)
    case .comparison(let comparison, let left, let right):
      left.hash(as: 16 + comparison.rawValue, into: &hasher)
      right.hash(into: &hasher)
    case .arithmetic(let operation, let left, let right):
      left.hash(as: 32 + operation.rawValue, into: &hasher)
      right.hash(into: &hasher)
    case .textTest(let test, let text): text.hash(as: 48 + test.rawValue, into: &hasher)
    case .textFunction(let function, let text):
      text.hash(as: 64 + function.rawValue, into: &hasher)
    case .aggregate(let function, let operand):
      operand.hash(as: 80 + function.rawValue, into: &hasher)
    case .function(let function, let operands):
      hasher.combine(112 + function.number)
      hasher.combine(operands)
    case .joined(let operand): operand.hash(as: 13, into: &hasher)
    case .selected(let index):
      hasher.combine(14)
      hasher.combine(index)
    case .between(let value, let low, let high):
      value.hash(as: 12, into: &hasher)
      low.hash(into: &hasher)
      high.hash(into: &hasher)
    case .members(let function, let path, let predicate):
      hasher.combine(96 + function.rawValue)
      path.hash(into: &hasher)
      hasher.combine(predicate == nil ? 0 : 1)
      predicate?.condition.hash(into: &hasher)
    case .subquery(let function, let query, let operand):
      hasher.combine(104 + function.rawValue)
      query.hash(into: &hasher)
      operand?.hash(into: &hasher)
    case .fragment(let fragment):
      hasher.combine(15)
      hasher.combine(fragment.hash)
    }
  }

  private func hash(as operation: Int, into hasher: inout ShapeHasher) {
    hasher.combine(operation)
    hash(into: &hasher)
  }
}

extension ColumnPath {
  fileprivate func hash(into hasher: inout ShapeHasher) {
    // Member IDs are not hashed: equal closures have different ones.
    hasher.combine(scope.isMember ? 1 : scope.rawValue)
    hasher.combine(type)
    hasher.combine(property)
    if !toOnes.isEmpty { hasher.combine(toOnes) }
  }
}

extension Subquery {
  fileprivate func hash(into hasher: inout ShapeHasher) {
    hasher.combine(schema.ordinal)
    hasher.combine(flags)
    selection?.hash(into: &hasher)
    filter?.hash(into: &hasher)
    hasher.combine(orders)
  }
}
