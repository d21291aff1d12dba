import MagicEngine
import MagicQuery
import MagicSchema
import Magical

/// Comparisons.
extension TextResolver {
  func comparison(
    _ relation: TextRelation, _ left: TextNode, _ right: TextNode, _ rows: Rows
  ) throws -> QueryExpression {
    try comparison(relation, try operand(left, rows), right, rows)
  }

  func comparison(
    _ relation: TextRelation, _ left: TextOperand, _ right: TextNode, _ rows: Rows
  ) throws -> QueryExpression {
    switch relation.kind {
    case .isIn: return try list(relation, left, right, rows)
    case .between: return try between(relation, left, right, rows)
    case .order(let comparison):
      let right = try operand(right, rows)
      if case .members = left.kind { throw Self.collectionMistake(left) }
      return try compare(relation, comparison, left, right)
    case .matches:
      throw TextMistake(
        "The database has no regular expressions. Use LIKE with ? and *.", at: relation.position)
    case .beginsWith, .endsWith, .contains, .like:
      let right = try operand(right, rows)
      if case .members = left.kind, case .contains = relation.kind {
        return try includes(left, right)
      }
      if case .contains = relation.kind, !relation.ignoresCase,
        let exists = try left.hasElement({ try compare(relation, .equal, $0, right) })
      {
        return exists
      }
      return try textTest(relation, left, right)
    }
  }

  // MARK: Equality and order

  private func compare(
    _ relation: TextRelation, _ comparison: ComparisonOperator, _ left: TextOperand,
    _ right: TextOperand
  ) throws -> QueryExpression {
    if left.constant != nil, right.constant == nil {
      return try compare(relation, comparison.mirrored, right, left)
    }
    if let existence = left.existence, case .number("0")? = right.constant {
      switch comparison {
      case .equal: return .not(existence)
      case .notEqual, .greater: return existence
      case .less, .lessOrEqual, .greaterOrEqual: break
      }
    }
    if right.isNull {
      let left = left.isNull ? TextOperand(.value(Bool.self), at: left.position) : left
      if case .members = left.kind { throw Self.collectionMistake(left) }
      switch comparison {
      case .equal: return .isNull(left.expression)
      case .notEqual: return .isNotNull(left.expression)
      default: throw left.mistake("nil has no order. Use == or !=.", at: relation.position)
      }
    }
    let left = try typed(left)
    let value = try coerced(right, to: left)
    if comparison != .equal, comparison != .notEqual { try checkOrder(left, relation) }
    guard relation.ignoresCase else { return .comparison(comparison, left.expression, value) }
    guard left.isText else { throw left.mistake("Only texts have the option [c].") }
    return .comparison(
      comparison, .textFunction(.lowercased, left.expression), .textFunction(.lowercased, value))
  }

  /// Returns the expression of an operand that is compared with another one, as a value of the type
  /// of that one.
  private func coerced(_ operand: TextOperand, to other: TextOperand) throws -> QueryExpression {
    switch other.kind {
    case .members: throw Self.collectionMistake(other)
    case .file: throw other.mistake("The property is stored in a file. Only nil can be compared.")
    case .constant: throw other.mistake("The value has no type.")
    case .object(let schema):
      if let constant = operand.constant {
        return QueryExpression(try object(constant, of: schema, operand, other))
      }
      guard case .object(let target) = operand.kind, target === schema else {
        throw Self.typeMistake(
          operand, other, "The other operand is not an object of the same type.")
      }
      return operand.expression
    case .value(let type):
      if let constant = operand.constant {
        return QueryExpression(try value(constant, of: type, operand, other))
      }
      if case .members = operand.kind { throw Self.collectionMistake(operand) }
      guard let otherType = operand.valueType,
        otherType == type
          || TextTypes.isPlainNumber(type) && TextTypes.isPlainNumber(otherType)
      else {
        throw Self.typeMistake(operand, other, "The operands have different types.")
      }
      return operand.expression
    }
  }

  private func value(
    _ constant: TextConstant, of type: any Magical.Type, _ operand: TextOperand,
    _ other: TextOperand
  ) throws -> QueryValue {
    if case .null = constant {
      throw Self.typeMistake(operand, other, "nil is not possible here.")
    }
    guard let value = constant.bound(to: type) else {
      let hint = ValueForm(type) == .date ? " Pass a date as an argument." : ""
      throw Self.typeMistake(
        operand, other, "The value cannot be compared with a value of the type \(type).\(hint)")
    }
    return value
  }

  private func object(
    _ constant: TextConstant, of schema: ObjectSchema, _ operand: TextOperand,
    _ other: TextOperand
  ) throws -> QueryValue {
    guard case .argument(let value) = constant, let object = value as? any MagicObject,
      Swift.type(of: object) == schema.type
    else {
      throw Self.typeMistake(
        operand, other, "The value is not an object of the type \(schema.typeName).")
    }
    return .object(object)
  }

  /// Returns a mistake at one operand that names the property of the other one.
  private static func typeMistake(
    _ operand: TextOperand, _ other: TextOperand, _ reason: String
  ) -> TextMistake {
    TextMistake(
      reason, at: operand.position, type: other.type ?? operand.type,
      property: other.property ?? operand.property)
  }

  private static func collectionMistake(_ operand: TextOperand) -> TextMistake {
    operand.mistake(
      "A collection is not a value. Write ANY, ALL or NONE before the comparison, or @count.")
  }

  private func checkOrder(_ operand: TextOperand, _ relation: TextRelation) throws {
    guard let type = operand.valueType, TextTypes.isOrdered(type) else {
      throw operand.mistake(
        "The values have no order in the database. Use == or !=.", at: relation.position)
    }
  }

  /// Returns whether an object is a member.
  func includes(_ members: TextOperand, _ right: TextOperand) throws -> QueryExpression {
    guard case .members(let schema) = members.kind, let constant = right.constant else {
      throw Self.collectionMistake(members)
    }
    let object = try object(constant, of: schema, right, members)
    return .members(.includes, of: members.expression, values: [object])
  }

  // MARK: Lists and ranges

  private func list(
    _ relation: TextRelation, _ left: TextOperand, _ right: TextNode, _ rows: Rows
  ) throws -> QueryExpression {
    if case .path = right.form {
      let collection = try operand(right, rows)
      guard case .members = collection.kind else {
        let exists = try collection.hasElement { try compare(relation, .equal, $0, left) }
        guard let exists else { throw collection.mistake("IN needs a list or a collection.") }
        return exists
      }
      return try includes(collection, left)
    }
    let left = try typed(left)
    if relation.ignoresCase, !left.isText {
      throw left.mistake("Only texts have the option [c].")
    }
    var values: [QueryValue] = []
    for element in try elements(of: right, rows) {
      guard let constant = element.constant else {
        throw element.mistake("The elements of a list are constants and arguments only.")
      }
      let value: QueryValue
      switch left.kind {
      case .value(let type): value = try self.value(constant, of: type, element, left)
      case .object(let schema): value = try object(constant, of: schema, element, left)
      case .members: throw Self.collectionMistake(left)
      case .file, .constant:
        throw left.mistake("The property is stored in a file. Only nil can be compared.")
      }
      values.append(relation.ignoresCase ? value.lowercased : value)
    }
    return .inList(
      relation.ignoresCase ? .textFunction(.lowercased, left.expression) : left.expression, values)
  }

  private func between(
    _ relation: TextRelation, _ left: TextOperand, _ right: TextNode, _ rows: Rows
  ) throws -> QueryExpression {
    guard !relation.ignoresCase else {
      throw TextMistake("BETWEEN has no option [c].", at: relation.position)
    }
    let left = try typed(left)
    let bounds = try elements(of: right, rows)
    guard bounds.count == 2 else {
      throw TextMistake("BETWEEN needs a list of two values.", at: right.position)
    }
    let (low, high) = (try coerced(bounds[0], to: left), try coerced(bounds[1], to: left))
    try checkOrder(left, relation)
    return .between(left.expression, low, high)
  }

  private func elements(of node: TextNode, _ rows: Rows) throws -> [TextOperand] {
    switch node.form {
    case .list(let nodes): return try nodes.map { try operand($0, rows) }
    case .constant(let constant):
      guard let elements = constant.elements else { break }
      return elements.map { TextOperand(.constant($0), at: node.position) }
    default: break
    }
    throw TextMistake("This is not a list. Write {a, b}, or pass an array.", at: node.position)
  }

  // MARK: Texts

  private func textTest(
    _ relation: TextRelation, _ left: TextOperand, _ right: TextOperand
  ) throws -> QueryExpression {
    let left = try typed(left)
    guard left.isText else {
      throw left.mistake("The operator needs a text.", at: relation.position)
    }
    guard case .text(var text)? = right.constant?.bound(to: String.self) else {
      throw TextMistake(
        "On the right of this operator only a text is possible.", at: right.position,
        type: left.type, property: left.property)
    }
    if case .like = relation.kind {
      guard let pattern = relation.ignoresCase ? TextPattern.like(text) : TextPattern.glob(text)
      else {
        throw right.mistake("The pattern ends with a backslash.")
      }
      return .textTest(
        relation.ignoresCase ? .pattern : .exactPattern, left.expression, [.text(pattern)])
    }
    var operand = left.expression
    if relation.ignoresCase {
      operand = .textFunction(.lowercased, operand)
      text = text.lowercased()
    }
    let tested = MagicExpression<Model, String>(operand)
    return switch relation.kind {
    case .beginsWith: tested.hasPrefix(text).untyped
    case .endsWith: tested.hasSuffix(text).untyped
    default: tested.contains(text).untyped
    }
  }
}

extension ComparisonOperator {
  fileprivate var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension QueryValue {
  fileprivate var lowercased: QueryValue {
    if case .text(let text) = self { .text(text.lowercased()) } else { self }
  }
}
