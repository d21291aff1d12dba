import MagicEngine
import MagicQuery
import MagicSchema
import Magical

/// Resolves the names and the types of an expression of a text.
struct TextResolver<Model: MagicObject> {
  private let root: ObjectSchema

  init() throws { root = try ObjectSchema.of(Model.self) }

  /// The rows that names refer to.
  struct Rows {
    /// The variables of subqueries.
    var variables: [(name: String, row: Row)] = []
    /// Whether the expression is a condition on a member.
    var isInMember = false
  }

  struct Row {
    let scope: RowScopeID
    let schema: ObjectSchema
  }

  func row(_ variable: String?, _ rows: Rows, at position: Int) throws -> Row {
    guard let variable else {
      return Row(scope: rows.isInMember ? .root : .innermost, schema: root)
    }
    guard let row = rows.variables.last(where: { $0.name == variable })?.row else {
      throw TextMistake("There is no variable with this name.", at: position)
    }
    return row
  }

  // MARK: Conditions

  /// Resolves a condition.
  func condition(_ node: TextNode, _ rows: Rows) throws -> QueryExpression {
    switch node.form {
    case .and(let operands):
      return Self.chained(try operands.map { try condition($0, rows) }[...]) { .and($0, $1) }
    case .or(let operands):
      return Self.chained(try operands.map { try condition($0, rows) }[...]) { .or($0, $1) }
    case .not(let operand): return .not(try condition(operand, rows))
    case .comparison(let relation, let left, let right):
      return try comparison(relation, left, right, rows)
    case .quantified(let quantifier, let operand):
      return try quantified(quantifier, operand, rows, at: node.position)
    default: return try condition(try operand(node, rows))
    }
  }

  /// Returns a condition that is a constant or a property.
  func condition(_ operand: TextOperand) throws -> QueryExpression {
    if let constant = operand.constant, let value = constant.bound(to: Bool.self) {
      return QueryExpression(value)
    }
    guard operand.valueType == Bool.self else {
      throw operand.mistake("This is not a condition. Compare it with a value.")
    }
    return operand.expression
  }

  /// Joins the operands of a chain by halves, so that each is copied a few times only.
  private static func chained(
    _ operands: ArraySlice<QueryExpression>,
    _ operation: (QueryExpression, QueryExpression) -> QueryExpression
  ) -> QueryExpression {
    guard operands.count > 1 else { return operands.first ?? QueryExpression(tree: .null) }
    let middle = operands.startIndex + operands.count / 2
    return operation(
      chained(operands[..<middle], operation), chained(operands[middle...], operation))
  }

  // MARK: Values

  /// Resolves an expression. A condition is a value of the type `Bool`.
  func operand(_ node: TextNode, _ rows: Rows) throws -> TextOperand {
    let position = node.position
    switch node.form {
    case .constant(let constant): return TextOperand(.constant(constant), at: position)
    case .path(let path): return try property(path, rows, at: position)
    case .list: throw TextMistake("A list is possible only after IN and BETWEEN.", at: position)
    case .negative(let operand): return try negative(operand, rows, at: position)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, try operand(left, rows), try operand(right, rows))
    case .function(let function, let text):
      let text = try typed(try operand(text, rows))
      guard text.isText else { throw text.mistake("The function needs a text.") }
      return TextOperand(
        .value(String.self), .textFunction(function, text.expression), at: position,
        type: text.type, property: text.property)
    case .subquery(let path, let variable, let condition):
      return try subquery(path, variable, condition, rows, at: position)
    case .and, .or, .not, .comparison, .quantified:
      return TextOperand(.value(Bool.self), try condition(node, rows), at: position)
    }
  }

  /// Returns the operand; a constant with its own type.
  func typed(_ operand: TextOperand) throws -> TextOperand {
    guard let constant = operand.constant else { return operand }
    guard let type = constant.naturalType, let value = constant.bound(to: type) else {
      throw operand.mistake("The value has no type here. Compare it with a property.")
    }
    var typed = operand
    typed.kind = .value(type)
    typed.expression = QueryExpression(value)
    return typed
  }

  private func negative(
    _ node: TextNode, _ rows: Rows, at position: Int
  ) throws -> TextOperand {
    var number = try typed(try operand(node, rows))
    guard let type = number.valueType, TextTypes.isNumeric(type) else {
      throw number.mistake("This is not a number.")
    }
    number.expression = .negative(number.expression)
    number.position = position
    number.existence = nil
    return number
  }

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: TextOperand, _ right: TextOperand
  ) throws -> TextOperand {
    let (left, right) = (
      try typed(left, with: right, operation), try typed(right, with: left, operation)
    )
    guard let leftType = left.valueType, TextTypes.isNumeric(leftType) else {
      throw left.mistake("This is not a number.")
    }
    guard let rightType = right.valueType, TextTypes.isNumeric(rightType) else {
      throw right.mistake("This is not a number.")
    }
    let isProduct = operation != .add && operation != .subtract
    let type: any Magical.Type
    switch (TextTypes.isPlainNumber(leftType), TextTypes.isPlainNumber(rightType)) {
    case _ where leftType == rightType: type = leftType
    case (true, true):
      type = TextTypes.isReal(leftType) || TextTypes.isReal(rightType) ? Double.self : Int.self
    case (false, true) where isProduct && leftType is any WrittenAsNumber.Type: type = leftType
    case (true, false) where operation == .multiply && rightType is any WrittenAsNumber.Type:
      type = rightType
    default: throw right.mistake("The operands have different types.")
    }
    return TextOperand(
      .value(type), .arithmetic(operation, left.expression, right.expression), at: left.position,
      type: left.type ?? right.type, property: left.property ?? right.property)
  }

  /// Returns an operand of an arithmetic operation; a constant with the type of the other operand.
  private func typed(
    _ operand: TextOperand, with other: TextOperand, _ operation: ArithmeticOperator
  ) throws -> TextOperand {
    guard let constant = operand.constant, let type = other.valueType else {
      return try typed(operand)
    }
    let isFactor = operation != .add && operation != .subtract
    if isFactor || TextTypes.isPlainNumber(type) { return try typed(operand) }
    guard TextTypes.isNumeric(type) else { throw other.mistake("This is not a number.") }
    guard let value = constant.bound(to: type) else {
      throw operand.mistake("The value has another type than the other operand.")
    }
    var typed = operand
    typed.kind = .value(type)
    typed.expression = QueryExpression(value)
    return typed
  }
}
