import MagicSchema
import Magical

/// The values that expressions can have, as far as it is known without a database.
extension ColumnPath {
  /// The column at the end of the path; nil if it is the row ID, the depth or the score.
  private var column: ColumnSchema? {
    guard let columns = (try? endType)?.columns, columns.indices.contains(property) else {
      return nil
    }
    return columns[property]
  }

  fileprivate var mayBeNull: Bool {
    if toOnes.isEmpty, [Self.rowID, Self.depth, Self.score].contains(property) { return false }
    guard var schema = ObjectSchema.numbered(type), let column else { return true }
    for toOne in toOnes {
      guard let column = schema.columns[toOne] as? ToOneColumn, !column.isNullable,
        let target = try? column.target
      else { return true }
      schema = target
    }
    return column.isNullable
  }

  fileprivate var storageClass: MagicalStorageClass? {
    switch property {
    case Self.rowID, Self.depth: .integer
    case Self.score: .real
    default: column?.storageClass
    }
  }
}

extension ExpressionTree {
  /// Whether the value can be NULL. True if it is unknown.
  ///
  /// - Parameter areIntegers: whether all values of the expression are integers. None of them is NULL.
  func mayBeNull(values areIntegers: Bool) -> Bool {
    func any(_ operands: [ExpressionTree]) -> Bool {
      operands.contains { $0.mayBeNull(values: areIntegers) }
    }
    switch self {
    case .column(let path): return path.mayBeNull
    // A condition is true or false, as in Swift.
    case .value, .and, .or, .not, .comparison, .isNull, .isNotNull, .textTest, .between, .inList,
      .rowCount:
      return false
    case .members(let function, _, _), .subquery(let function, _, _):
      return ![.exists, .count, .includes].contains(function)
    case .negative(let operand), .textFunction(_, let operand):
      return operand.mayBeNull(values: areIntegers)
    // A quotient by 0 is NULL, and so is the result of real numbers that is NaN.
    case .arithmetic(let operation, let left, let right):
      let isWhole = areIntegers && hasIntegersOnly
      return operation == .divide || operation == .remainder || !isWhole || any([left, right])
    case .function(let function, let operands):
      switch function {
      case .absolute, .rounded, .real, .integer, .concatenated, .characterCount, .trimmed,
        .replaced,
        .prefix, .collated:
        return any(operands)
      case .coalesced: return operands.last?.mayBeNull(values: areIntegers) ?? true
      case .conditional: return any(Array(operands.dropFirst()))
      default: return true
      }
    default: return true
    }
  }

  /// Whether all columns of an arithmetic operation are integers.
  private var hasIntegersOnly: Bool {
    switch self {
    case .column(let path): path.storageClass == .integer
    case .value: true
    case .arithmetic(_, let left, let right): left.hasIntegersOnly && right.hasIntegersOnly
    case .negative(let operand): operand.hasIntegersOnly
    default: false
    }
  }

  /// The storage classes of the values other than NULL; nil if they are unknown.
  var storageClasses: [MagicalStorageClass]? {
    switch self {
    case .column(let path): path.storageClass.map { [$0] }
    case .and, .or, .not, .comparison, .isNull, .isNotNull, .textTest, .between, .inList, .rowCount,
      .members(.count, _, _), .members(.exists, _, _), .members(.includes, _, _),
      .subquery(.count, _, _), .subquery(.exists, _, _), .subquery(.includes, _, _):
      [.integer]
    case .arithmetic, .negative: [.integer, .real]
    case .textFunction: [.text]
    case .function(let function, _):
      switch function {
      case .absolute, .rounded: [.integer, .real]
      case .real, .dateStart, .dateAdding, .dateDifference, .distance: [.real]
      case .integer, .characterCount, .dateComponent, .jsonCount, .jsonContains: [.integer]
      case .concatenated, .trimmed, .replaced, .prefix, .collated: [.text]
      default: nil
      }
    default: nil
    }
  }
}
