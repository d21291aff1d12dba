import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema

/// The element of JSON that a condition is about.
struct ElementScope {
  let id: RowScopeID
  /// The alias of the table of the elements.
  let alias: String
}

extension QueryRenderer {
  /// Renders a function of the elements of a JSON array, which are the rows of a table-valued function.
  mutating func elements(
    _ function: MemberFunction, _ json: ExpressionTree, _ predicate: MemberPredicate
  ) throws -> SQLTerm {
    let json = try term(json).value.text
    let alias = alias()
    elementScopes.append(ElementScope(id: predicate.scope, alias: alias))
    defer { elementScopes.removeLast() }
    let condition = try term(predicate.condition).text
    let tail = "FROM \(SQLiteConnection.jsonElements)(\(json)) AS \(alias) WHERE \(condition)"
    switch function {
    case .exists: return SQLTerm("EXISTS (SELECT 1 \(tail))")
    case .count: return SQLTerm("(SELECT count(*) \(tail))")
    default: throw MagicError.malformedQuery
    }
  }

  /// Renders the value of an element.
  func element(_ id: RowScopeID, _ kind: JSONKind) throws -> SQLTerm {
    guard let scope = elementScopes.last(where: { $0.id == id }) else {
      throw MagicError(.invalidQuery, "An element of a query is used outside its closure.")
    }
    let column = SQLiteConnection.jsonElementColumn(kind)
    return SQLTerm("\(scope.alias).\(column)", mayBeNull: true)
  }
}
