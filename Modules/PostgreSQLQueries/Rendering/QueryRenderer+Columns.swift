import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// Renders a column of a row, or of a row that to-one relationships refer to.
  mutating func column(_ path: ColumnPath) throws -> SQLTerm {
    let column = try column(path.property, through: path.toOnes, in: try scope(of: path))
    return groupTexts[column.text] ?? column
  }

  /// Returns the scope in which a path begins, as an index into `scopes`.
  func scope(of path: ColumnPath) throws -> Int {
    let index: Int? =
      switch path.scope {
      case .innermost: scopes.lastIndex { !$0.isJoined }
      case .root: scopes.indices.first
      default: scopes.lastIndex { $0.ids.contains(path.scope) }
      }
    guard let index, scopes[index].schema.ordinal == path.type else {
      throw MagicError(.invalidQuery, "A row of a query is used outside its closure.")
    }
    return index
  }

  mutating func column(
    _ property: Int, through toOnes: [Int], in scope: Int
  ) throws -> SQLTerm {
    // The column of a to-one relationship contains the row ID of its object.
    if property == ColumnPath.rowID, let last = toOnes.last {
      return try column(last, through: toOnes.dropLast(), in: scope)
    }
    if property == ColumnPath.depth { return try depth(in: scope) }
    if property == ColumnPath.score { return try score(in: scope) }
    let join = try join(toOnes, in: scope)
    guard property != ColumnPath.rowID else {
      return SQLTerm("\(join.alias).\"z_index\"", .bigint, mayBeNull: join.isOptional)
    }
    let column = try join.schema.valueColumn(at: property)
    let isCollated = column.collation != nil
    let name = join.column(property)
    var term = SQLTerm(
      isCollated ? "(\(name) COLLATE \(MagicCollation.bytes.quoted))" : name,
      join.table.columns[property].type, mayBeNull: join.isOptional || column.isNullable)
    if term.type == .text { term.comparison = TextComparison(collation: column.collation) }
    return term
  }

  /// Returns the join for the row that to-one relationships refer to. Each path is joined once.
  private mutating func join(_ toOnes: [Int], in scope: Int) throws -> RowScope.Join {
    guard let last = toOnes.last else { return scopes[scope].root }
    if let cached = scopes[scope].joins[toOnes] { return cached }
    let before = try join(toOnes.dropLast(), in: scope)
    let toOne = try before.schema.toOne(at: last)
    let target = try toOne.target
    let join = RowScope.Join(
      schema: target, table: try table(target), alias: alias(),
      isOptional: before.isOptional || toOne.isNullable)
    scopes[scope].add(
      join, at: toOnes, on: "\(join.alias).\"z_index\" = \(before.column(last))")
    return join
  }
}
