import MagicEngine
import MagicSchema
import Magical

/// Properties and members.
extension TextPrinter {
  typealias Column = (
    text: String, property: PropertySchema?, place: (type: String, name: String)
  )

  func column(_ path: ColumnPath) throws -> Column {
    let row = path.scope == .innermost ? rows.last : rows.last { $0.id == path.scope }
    guard let row, row.schema.ordinal == path.type else { throw Self.unprintable }
    var names = row.prefix.isEmpty ? [] : [row.prefix]
    var schema = row.schema
    for step in path.toOnes {
      guard schema.columns.indices.contains(step),
        let column = schema.columns[step] as? ToOneColumn
      else { throw Self.unprintable }
      names.append(try Self.name(column.property))
      schema = try column.target
    }
    guard path.property != ColumnPath.rowID else {
      return ((names + ["zIndex"]).joined(separator: "."), nil, (schema.typeName, "zIndex"))
    }
    let properties = schema.properties
    guard properties.indices.contains(path.property) else { throw Self.unprintable }
    let property = properties[path.property]
    names.append(try Self.name(property.property))
    return (names.joined(separator: "."), property, (schema.typeName, property.property))
  }

  /// Prints the test whether an array or set that is stored as JSON is empty.
  mutating func isEmpty(_ operands: [ExpressionTree]) throws -> Term {
    guard case .column(let path)? = operands.first, case .integer(0) = try nextValue() else {
      throw Self.unprintable
    }
    return Term("\(try column(path).text).\(TextPath.isEmpty)")
  }

  private static func name(_ name: String) throws -> String {
    guard name.isName else { throw unprintable }
    return TextKeyword(name) == nil ? name : "#\(name)"
  }

  /// The type of the values of an expression; nil if it is a constant.
  func type(of tree: ExpressionTree) -> (any Magical.Type)? {
    switch tree {
    case .column(let path):
      guard let property = try? column(path).property else { return nil }
      return property.valueType as? any Magical.Type
    case .arithmetic(_, let left, let right): return type(of: left) ?? type(of: right)
    case .negative(let operand): return type(of: operand)
    case .textFunction: return String.self
    case .members(.count, _, _): return Int.self
    case .and, .or, .not, .comparison, .isNull, .isNotNull, .textTest, .between, .inList, .members:
      return Bool.self
    default: return nil
    }
  }

  mutating func members(
    _ function: MemberFunction, _ path: ColumnPath, _ predicate: MemberPredicate?
  ) throws -> Term {
    let (collection, property, place) = try column(path)
    self.property = place
    switch (function, predicate) {
    case (.count, nil): return Term("\(collection).@count")
    case (.exists, nil): return Term("\(collection).@count > 0", .relation)
    case (.includes, nil):
      return Term("\(collection) CONTAINS \(try value(as: nil))", .relation)
    case (.count, let predicate?):
      return Term(try subquery(collection, property, predicate))
    case (.exists, let predicate?):
      guard predicate.isSimple else {
        return Term("\(try subquery(collection, property, predicate)) > 0", .relation)
      }
      let row = Row(id: predicate.scope, schema: try Self.target(of: property), prefix: collection)
      rows.append(row)
      defer { rows.removeLast() }
      return Term("ANY \(try term(predicate.condition).text)", .relation)
    default: throw Self.unprintable
    }
  }

  private mutating func subquery(
    _ collection: String, _ property: PropertySchema?, _ predicate: MemberPredicate
  ) throws -> String {
    let variable = "$m\(rows.count)"
    rows.append(
      Row(id: predicate.scope, schema: try Self.target(of: property), prefix: variable))
    defer { rows.removeLast() }
    let condition = try term(predicate.condition, as: Bool.self).text
    return "SUBQUERY(\(collection), \(variable), \(condition)).@count"
  }

  private static func target(of property: PropertySchema?) throws -> ObjectSchema {
    switch property {
    case let collection as CollectionColumn: try collection.target
    case let reverse as ReverseProperty: try reverse.relationship.resolved().owner
    default: throw unprintable
    }
  }
}

extension MemberPredicate {
  /// Whether the condition is a comparison of a property of the member with constants, so that it
  /// can follow `ANY`.
  fileprivate var isSimple: Bool {
    switch condition {
    case .comparison(_, let left, let right): isOwn(left) && right.isConstant
    case .isNull(let operand), .isNotNull(let operand), .inList(let operand),
      .textTest(_, let operand):
      isOwn(operand)
    case .between(let value, let low, let high): isOwn(value) && low.isConstant && high.isConstant
    default: false
    }
  }

  private func isOwn(_ tree: ExpressionTree) -> Bool {
    guard case .column(let path) = tree else { return false }
    return path.scope == scope || path.scope == .innermost
  }
}

extension ExpressionTree {
  fileprivate var isConstant: Bool {
    switch self {
    case .value, .null: true
    default: false
    }
  }
}
