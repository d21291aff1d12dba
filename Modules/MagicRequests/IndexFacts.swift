import MagicSchema

/// What queries need to know about the indexes over expressions and the partial indexes of a type.
/// It is determined once for a type.
final class IndexFacts: Sendable {
  /// The parts of the indexes that contain constants.
  let parts: [IndexedExpression.Part]
  /// The expressions and predicates.
  private let trees: [ExpressionTree]
  /// The columns that are conditions of an index by themselves, without a comparison.
  private let conditions: Set<Int>

  init(_ indexes: [IndexSchema]) {
    let expressions = indexes.compactMap(\.computed).flatMap { index -> [IndexedExpression] in
      (index.expressions + [index.predicate].compactMap { $0 }).compactMap {
        $0 as? IndexedExpression
      }
    }
    parts = expressions.flatMap(\.parts)
    trees = expressions.map(\.expression.tree)
    conditions = trees.reduce(into: []) { $1.addConditions(to: &$0) }
  }

  /// Returns whether an index contains an operation, with any constants.
  func contain(_ operation: ExpressionTree) -> Bool {
    trees.contains { $0.contains(operation) }
  }

  /// Returns whether a column is a condition of an index by itself.
  func hasCondition(_ column: Int) -> Bool { conditions.contains(column) }
}

extension ObjectSchema {
  /// Nil for a type without such indexes.
  var indexFacts: IndexFacts? {
    guard hasComputedIndexes else { return nil }
    return cachedIndexFacts { IndexFacts($0) }
  }

  /// Returns whether an index of the type contains an operation, with any constants. An engine must
  /// render it in a query as it does in the index.
  package func indexesContain(_ operation: ExpressionTree) -> Bool {
    indexFacts?.contain(operation) ?? false
  }

  /// Returns whether a column is a condition of an index of the type by itself, without a comparison.
  /// An engine must render it in a query as it does in the index.
  package func indexesHaveCondition(_ column: Int) -> Bool {
    indexFacts?.hasCondition(column) ?? false
  }
}

extension ExpressionTree {
  fileprivate func contains(_ operation: ExpressionTree) -> Bool {
    var comparison = ShapeComparison(rows: .any)
    return comparison.areEqual(self, operation) || operands.contains { $0.contains(operation) }
  }

  fileprivate func addConditions(to columns: inout Set<Int>) {
    if let ownColumn { columns.insert(ownColumn) }
    switch self {
    case .and(let operands), .or(let operands):
      for operand in operands { operand.addConditions(to: &columns) }
    case .not(let operand): operand.addConditions(to: &columns)
    case .function(.conditional, let operands): operands.first?.addConditions(to: &columns)
    default: break
    }
  }
}
