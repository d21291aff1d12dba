import MagicRuntime
import MagicSchema

/// Computes the hash of a query's shape.
///
/// The hash is computed each time a query runs, so each integer is mixed with one multiplication. A
/// collision costs only a comparison, because shapes with equal hashes are always compared.
package struct ShapeHasher {
  package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Whether types and properties are identified by their names. Their numbers are different in each
  /// process.
  private let usesNames: Bool

  /// Whether an expression contains a window function.
  private(set) var hasWindow = false
  /// The ordinals of the types whose search indexes an expression uses.
  private(set) var searched: [Int] = []

  /// Whether a part of an expression is about the rows of other tables.
  private(set) var reachesOtherTypes = false

  package init(usesNames: Bool = false) { self.usesNames = usesNames }

  @inline(__always)
  package mutating func combine(_ value: Int) {
    let mixed = (hash ^ UInt64(bitPattern: Int64(value))) &* 0x9E37_79B9_7F4A_7C15
    hash = mixed ^ (mixed &>> 29)
  }

  mutating func combine(_ first: Int, _ second: Int) {
    combine(first)
    combine(second)
  }

  /// Combines the number of a type, and of some of its properties.
  @inline(__always)
  mutating func combine(type: Int, _ property: Int, through toOnes: [Int] = []) {
    guard !usesNames else { return combineNames(type, property, toOnes) }
    combine(type)
    combine(property)
    if !toOnes.isEmpty { combine(toOnes) }
  }

  @inline(never)
  private mutating func combineNames(_ type: Int, _ property: Int, _ toOnes: [Int]) {
    var schema = ObjectSchema.numbered(type)
    combine(schema?.typeName ?? "")
    for toOne in toOnes {
      let column = schema?.columns.indices.contains(toOne) == true ? schema?.columns[toOne] : nil
      combine(column?.property ?? "")
      schema = try? (column as? ToOneColumn)?.target
    }
    let properties: [PropertySchema] = schema.map { $0.columns + $0.collections } ?? []
    if properties.indices.contains(property) {
      combine(properties[property].property)
    } else {
      combine(property)
    }
  }

  /// Combines a text. The result is the same in each process.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(Int(byte)) }
    combine(-1)
  }

  fileprivate mutating func note(searched type: Int) {
    if !searched.contains(type) { searched.append(type) }
  }

  package mutating func combine(_ values: [Int]) {
    combine(values.count)
    for value in values { combine(value) }
  }

  package mutating func combine(_ trees: [ExpressionTree]) {
    combine(trees.count)
    for tree in trees { tree.hash(into: &self) }
  }

  fileprivate mutating func combine(_ function: MemberFunction, otherRows number: Int) {
    reachesOtherTypes = true
    function.hash(from: number, into: &self)
  }

  fileprivate mutating func combine(_ function: ScalarFunction) {
    combine(112 + function.number)
    switch function {
    case .matches(let type): note(searched: type)
    case .collated(let collation): combine(collation.name ?? "")
    default: break
    }
  }

  fileprivate mutating func combine(_ function: WindowFunction, _ window: Window) {
    hasWindow = true
    combine(22)
    window.hash(of: function, into: &self)
  }

  package mutating func combine(_ terms: [ExpressionTree.SortTerm]) {
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
      function.hash(from: 80, operand, into: &hasher)
    case .function(let function, let operands):
      hasher.combine(function)
      hasher.combine(operands)
    case .joined(let operand): operand.hash(as: 13, into: &hasher)
    case .selected(let index): hasher.combine(14, index)
    case .between(let value, let low, let high):
      value.hash(as: 12, into: &hasher)
      low.hash(into: &hasher)
      high.hash(into: &hasher)
    case .members(let function, let path, let predicate):
      hasher.combine(function, otherRows: 240)
      path.hash(into: &hasher)
      hasher.combine(predicate == nil ? 0 : 1)
      predicate?.condition.hash(into: &hasher)
    case .elements(let function, let json, let predicate):
      function.hash(from: 256, into: &hasher)
      json.hash(into: &hasher)
      predicate.condition.hash(into: &hasher)
    // The IDs of elements are not hashed: equal closures have different ones.
    case .element(_, let kind): hasher.combine(272 + kind.rawValue)
    case .subquery(let function, let query, let operand):
      hasher.combine(function, otherRows: 104)
      query.hash(into: &hasher)
      operand?.hash(into: &hasher)
    case .window(let function, let operand, let window):
      hasher.combine(function, window)
      operand?.hash(into: &hasher)
    case .fragment(let fragment): hasher.combine(15, fragment.hash)
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
    hasher.combine(type: type, property, through: toOnes)
  }
}

extension Subquery {
  fileprivate func hash(into hasher: inout ShapeHasher) {
    hasher.combine(type: schema.ordinal, ColumnPath.rowID)
    hasher.combine(flags)
    traversal?.hash(into: &hasher)
    selection?.hash(into: &hasher)
    filter?.hash(into: &hasher)
    if let partition { hasher.combine(partition) }
    hasher.combine(orders)
  }
}

extension TraversalTree {
  func hash(into hasher: inout ShapeHasher) {
    hasher.combine(flags)
    relationship.hash(into: &hasher)
    start.hash(into: &hasher)
  }
}
