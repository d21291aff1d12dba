import MagicEngine
import MagicRuntime
import MagicSchema
import Magical

/// Arithmetic. SQLite's operators return a floating-point number if a result of integers exceeds 64
/// bits. Functions replace them that fail instead, unless an operand is a floating-point number, or an
/// index contains the operation: other programs that write to the table do not have the functions.
extension QueryRenderer {
  static func arithmetic(
    _ operation: ArithmeticOperator, _ left: SQLTerm, _ right: SQLTerm, isChecked: Bool
  ) -> SQLTerm {
    guard isChecked, let function = operation.checkedFunction else {
      return unchecked(operation, left, right)
    }
    return SQLTerm("\(function)(\(left.value.text), \(right.value.text))", mayBeNull: true)
  }

  static func negative(_ term: SQLTerm, isChecked: Bool) -> SQLTerm {
    guard isChecked else { return uncheckedNegative(term) }
    return SQLTerm("magic_subtract(0, \(term.value.text))", mayBeNull: term.mayBeNull)
  }

  /// Returns whether an operation must fail if its result exceeds 64 bits.
  func isChecked(_ operation: ExpressionTree, _ operands: ExpressionTree...) -> Bool {
    !operands.contains(where: isReal) && !scopes.contains { $0.schema.indexesContain(operation) }
  }

  /// Renders the new value of a column, whose type is checked as a whole: a floating-point number
  /// that an operation has returned instead of an integer is found then.
  mutating func assigned(_ tree: ExpressionTree) throws -> SQLTerm {
    switch tree {
    case .arithmetic(let operation, let left, let right):
      return Self.unchecked(operation, try assigned(left), try assigned(right))
    case .negative(let operand): return Self.uncheckedNegative(try assigned(operand))
    default: return try term(tree)
    }
  }

  private static func unchecked(
    _ operation: ArithmeticOperator, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    // Also a sum, difference or product is NULL if it is NaN, such as infinity minus infinity.
    SQLTerm(
      "\(left.operand) \(operation.sign) \(right.operand)", .arithmetic, mayBeNull: true)
  }

  private static func uncheckedNegative(_ term: SQLTerm) -> SQLTerm {
    SQLTerm("-\(term.operand)", .arithmetic, mayBeNull: term.mayBeNull)
  }

  /// Returns whether the values of an expression are floating-point numbers. False if that is
  /// unknown.
  func isReal(_ tree: ExpressionTree) -> Bool {
    switch tree {
    case .column(let path): return isReal(path)
    case .arithmetic(_, let left, let right): return isReal(left) || isReal(right)
    case .negative(let operand): return isReal(operand)
    case .aggregate(let function, let operand):
      return isReal(function, operand)
    case .members(let function, _, let predicate):
      return isReal(function, predicate?.condition)
    case .subquery(let function, let query, _): return isReal(function, query.selection)
    case .window(let function, let operand, _): return isReal(function, operand)
    case .selected(let index): return keyTrees.indices.contains(index) && isReal(keyTrees[index])
    case .element(_, let kind): return kind == .real
    case .function(let function, let operands):
      switch function {
      case .real, .dateStart, .dateAdding, .dateDifference, .jsonMember(.real), .distance:
        return true
      case .absolute, .rounded, .coalesced: return operands.contains(where: isReal)
      case .conditional: return operands.dropFirst().contains(where: isReal)
      default: return false
      }
    default: return false
    }
  }

  private func isReal(_ function: AggregateFunction, _ operand: ExpressionTree) -> Bool {
    switch function {
    case .average, .percentile: true
    case .sum, .minimum, .maximum: isReal(operand)
    case .distinctCount: false
    }
  }

  private func isReal(_ function: MemberFunction, _ operand: ExpressionTree?) -> Bool {
    switch function {
    case .average, .percentile: true
    case .sum, .minimum, .maximum, .first: operand.map(isReal) ?? false
    case .exists, .count, .includes, .distinctCount, .joined: false
    }
  }

  private func isReal(_ function: WindowFunction, _ operand: ExpressionTree?) -> Bool {
    switch function {
    case .aggregate(let function): operand.map { isReal(function, $0) } ?? false
    case .lag, .lead, .first, .last: operand.map(isReal) ?? false
    case .rank, .denseRank, .rowNumber, .tile, .rowCount: false
    }
  }

  /// The row of the path need not be in scope: the operand of a subquery is examined from outside.
  private func isReal(_ path: ColumnPath) -> Bool {
    if path.property == ColumnPath.score { return true }
    guard let schema = try? path.endType, schema.columns.indices.contains(path.property) else {
      return false
    }
    return schema.columns[path.property].storageClass == .real
  }
}

extension ArithmeticOperator {
  /// The SQL function that fails if a result exceeds 64 bits; nil if no result can.
  fileprivate var checkedFunction: String? {
    switch self {
    case .add: "magic_add"
    case .subtract: "magic_subtract"
    case .multiply: "magic_multiply"
    case .divide: "magic_divide"
    case .remainder: nil
    }
  }
}
