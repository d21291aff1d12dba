import MagicEngine
import MagicQuery
import MagicRuntime
import MagicSchema
import Magical

/// Paths of properties.
extension TextResolver {
  /// The end of a path, or the first collection on it.
  enum Step {
    case end(TextOperand)
    case collection(QueryExpression, ObjectSchema, rest: TextPath)
  }

  /// Resolves a path that passes through no collection.
  func property(_ path: TextPath, _ rows: Rows, at position: Int) throws -> TextOperand {
    let start = try row(path.variable, rows, at: position)
    switch try step(path, from: start, at: position) {
    case .end(let operand): return operand
    case .collection(_, _, let rest):
      throw TextMistake(
        "The path passes through a collection. Write ANY, ALL or NONE before the comparison.",
        at: rest.names.first?.position ?? position)
    }
  }

  func step(_ path: TextPath, from row: Row, at position: Int) throws -> Step {
    guard !path.names.isEmpty else {
      guard !path.isCount else { throw Self.noCount(at: position) }
      return .end(
        TextOperand(
          .object(row.schema),
          QueryExpression(tree: .column(.rowID(of: row.schema, in: row.scope))), at: position))
    }
    var schema = row.schema
    var toOne: QueryExpression?
    for (index, (name, place)) in path.names.enumerated() {
      let isLast = index == path.names.count - 1
      let found = try property(name, of: schema, isLast: isLast, at: place)
      let own = QueryExpression(
        tree: .column(
          ColumnPath(scope: row.scope, type: schema.ordinal, property: found ?? ColumnPath.rowID)))
      let expression = toOne.map { .property(own, of: $0) } ?? own
      if let error = expression.error { throw TextMistake(error.message, at: place) }
      let property = found.map { schema.properties[$0] }
      if let members = try property?.members {
        if path.tests(isEmptyAfter: index), !members.hasProperty(TextPath.isEmpty) {
          return .end(
            TextOperand(
              .value(Bool.self), .not(.members(.exists, of: expression)), at: position,
              type: schema.typeName, property: property?.property))
        }
        guard isLast else {
          let rest = TextPath(
            names: Array(path.names[(index + 1)...]), isCount: path.isCount)
          return .collection(expression, members, rest: rest)
        }
        return .end(
          collection(expression, members, path.isCount, at: position, schema, property?.property))
      }
      if let column = property as? ToOneColumn, !isLast {
        schema = try column.target
        toOne = expression
        continue
      }
      if path.tests(isEmptyAfter: index) {
        return .end(try Self.isEmpty(property, expression, of: schema, at: position))
      }
      guard isLast else {
        throw TextMistake(
          "The property is not a relationship, so it has no properties.",
          at: path.names[index + 1].position, type: schema.typeName, property: property?.property)
      }
      let operand = TextOperand(
        try Self.kind(of: property), expression, at: position, type: schema.typeName,
        property: property?.property)
      guard path.isCount else { return .end(operand) }
      guard let count = try operand.elementCount else { throw Self.noCount(at: position) }
      return .end(count)
    }
    throw TextMistake("The name of a property is missing.", at: position)
  }

  /// Returns whether a text, or an array or set that is stored as JSON, is empty.
  private static func isEmpty(
    _ property: PropertySchema?, _ expression: QueryExpression, of schema: ObjectSchema,
    at position: Int
  ) throws -> TextOperand {
    var operand = TextOperand(
      .value(Bool.self), at: position, type: schema.typeName, property: property?.property)
    let type = try kind(of: property).valueType
    if type == String.self {
      operand.expression = .comparison(.equal, expression, QueryExpression(.text("")))
    } else if type is any MagicJSONValues.Type, type != [UInt8].self {
      operand.expression = .comparison(
        .equal, .function(.jsonCount, expression), QueryExpression(.integer(0)))
    } else {
      throw operand.mistake("Only texts and collections can be empty.")
    }
    return operand
  }

  private static func noCount(at position: Int) -> TextMistake {
    TextMistake("Only a collection has @count.", at: position)
  }

  private func collection(
    _ expression: QueryExpression, _ members: ObjectSchema, _ isCount: Bool, at position: Int,
    _ schema: ObjectSchema, _ name: String?
  ) -> TextOperand {
    var operand = TextOperand(
      isCount ? .value(Int.self) : .members(members),
      isCount ? .members(.count, of: expression) : expression, at: position,
      type: schema.typeName, property: name)
    if isCount { operand.existence = .members(.exists, of: expression) }
    return operand
  }

  /// - Parameter property: nil for the row ID.
  private static func kind(of property: PropertySchema?) throws -> TextOperand.Kind {
    guard let property else { return .value(ZIndex.self) }
    if let toOne = property as? ToOneColumn { return .object(try toOne.target) }
    guard let column = property as? ColumnSchema, !column.isFile,
      let type = column.valueType as? any Magical.Type
    else { return .file }
    return .value(type)
  }

  /// Returns the index of a property; nil for the row ID.
  private func property(
    _ name: String, of schema: ObjectSchema, isLast: Bool, at position: Int
  ) throws -> Int? {
    let properties = schema.properties
    if let index = properties.firstIndex(where: { $0.property == name }) { return index }
    if name == "zIndex", isLast { return nil }
    let nearest = NearestName.of(name, in: properties.map(\.property))
    let hint = nearest.map { " Did you mean \($0)?" } ?? ""
    throw TextMistake(
      "The type \(schema.typeName) has no property with this name.\(hint)", at: position,
      type: schema.typeName, property: nearest)
  }
}

extension PropertySchema {
  /// The type of the members; nil if the property is not a collection.
  fileprivate var members: ObjectSchema? {
    get throws {
      switch self {
      case let collection as CollectionColumn: try collection.target
      case let reverse as ReverseProperty: try reverse.relationship.resolved().owner
      default: nil
      }
    }
  }
}

extension ObjectSchema {
  fileprivate func hasProperty(_ name: String) -> Bool {
    properties.contains { $0.property == name }
  }
}

/// Members of collections.
extension TextResolver {
  func subquery(
    _ path: TextPath, _ variable: String, _ node: TextNode, _ rows: Rows, at position: Int
  ) throws -> TextOperand {
    let collection = try property(
      path, rows, at: path.names.first?.position ?? position)
    guard case .members(let schema) = collection.kind else {
      throw collection.mistake("SUBQUERY needs a collection.")
    }
    let row = Row(scope: .newMember(), schema: schema)
    var inner = rows
    inner.variables.append((variable, row))
    inner.isInMember = true
    let condition = try condition(node, inner)
    var count = collection
    count.kind = .value(Int.self)
    count.position = position
    count.expression = .members(
      .count, of: collection.expression, matching: row.scope, condition)
    count.existence = .members(
      .exists, of: collection.expression, matching: row.scope, condition)
    return count
  }

  func quantified(
    _ quantifier: TextQuantifier, _ node: TextNode, _ rows: Rows, at position: Int
  ) throws -> QueryExpression {
    let left: TextNode
    if case .comparison(_, let operand, _) = node.form { left = operand } else { left = node }
    guard case .path(let path) = left.form else {
      throw TextMistake(
        "ANY, ALL and NONE need a comparison whose left side is a path.", at: left.position)
    }
    let start = try row(path.variable, rows, at: left.position)
    var inner = rows
    inner.isInMember = true
    let exists = try members(path, from: start, at: left.position, isFirst: true) { member in
      let condition: QueryExpression
      switch (node.form, member.kind) {
      case (.comparison(let relation, _, let right), .members):
        guard quantifier != .all, case .order(.equal) = relation.kind else {
          throw member.mistake("Members themselves are compared only with ANY and ==.")
        }
        return try includes(member, try operand(right, inner))
      case (.comparison(let relation, _, let right), _):
        condition = try comparison(relation, member, right, inner)
      default: condition = try self.condition(member)
      }
      return quantifier == .all ? .not(condition) : condition
    }
    return quantifier == .any ? exists : .not(exists)
  }

  /// Returns whether there is a member at the end of a path for which a condition is true.
  private func members(
    _ path: TextPath, from row: Row, at position: Int, isFirst: Bool,
    _ condition: (TextOperand) throws -> QueryExpression
  ) throws -> QueryExpression {
    switch try step(path, from: row, at: position) {
    case .end(let operand):
      if case .members = operand.kind { return try condition(operand) }
      if let exists = try operand.hasElement(condition) { return exists }
      guard !isFirst else {
        throw operand.mistake("ANY, ALL and NONE need a path through a collection.")
      }
      return try condition(operand)
    case .collection(let collection, let schema, let rest):
      let member = Row(scope: .newMember(), schema: schema)
      let inner = try members(
        rest, from: member, at: rest.names.first?.position ?? position, isFirst: false, condition)
      return .members(.exists, of: collection, matching: member.scope, inner)
    }
  }
}
