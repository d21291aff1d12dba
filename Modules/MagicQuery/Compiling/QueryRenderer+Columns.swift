import MagicSchema
import MagicStore

extension QueryRenderer {
  /// A column of a row, or of one that to-ones lead to.
  mutating func column(_ place: ColumnPlace) throws -> SQLTerm {
    try column(place.steps, in: try scope(of: place))
  }

  /// The scope a column is of, by its place among those that are open.
  func scope(of place: ColumnPlace) throws -> Int {
    let index =
      place.scope == Scope.innermost
      ? scopes.indices.last : scopes.lastIndex { $0.id == place.scope }
    guard let index, scopes[index].schema.ordinal == place.type else {
      throw MagicError(.invalidQuery, "A row is used outside the closure that it was given to.")
    }
    return index
  }

  mutating func column(_ steps: [Int], in scope: Int) throws -> SQLTerm {
    guard let last = steps.last else { throw ExpressionDecoder.malformed }
    let way = Array(steps.dropLast())
    // The key of what a to-one leads to is what the to-one's column holds.
    if last == -1, !way.isEmpty { return try column(way, in: scope) }
    let join = try join(way, in: scope)
    guard last >= 0 else { return SQLTerm("\(join.alias).\"z_index\"", mayBeNull: join.isOptional) }
    guard last < join.schema.columns.count else {
      throw MagicError(
        .invalidQuery, "A collection is no value: ask for its members or their count.",
        type: join.schema.typeName)
    }
    return SQLTerm(
      join.table.column(last, of: join),
      mayBeNull: join.isOptional || join.schema.columns[last].isNullable)
  }

  /// The row that to-ones lead to; each way is joined once.
  private mutating func join(_ way: [Int], in scope: Int) throws -> RowScope.Join {
    guard let last = way.last else { return scopes[scope].root }
    if let known = scopes[scope].joins[way] { return known }
    let before = try join(Array(way.dropLast()), in: scope)
    guard last >= 0, last < before.schema.columns.count,
      let toOne = before.schema.columns[last] as? ToOneColumn
    else { throw ExpressionDecoder.malformed }
    let target = try toOne.target
    let join = RowScope.Join(
      schema: target, table: try table(target), alias: alias(),
      isOptional: before.isOptional || toOne.isNullable)
    scopes[scope].add(
      join, at: way,
      on: "\(join.alias).\"z_index\" = \(before.table.column(last, of: before))")
    return join
  }

  /// The type that to-ones lead to.
  func schema(behind way: some Sequence<Int>, in scope: Int) throws -> ObjectSchema {
    var schema = scopes[scope].schema
    for step in way {
      guard step >= 0, step < schema.columns.count,
        let toOne = schema.columns[step] as? ToOneColumn
      else { throw ExpressionDecoder.malformed }
      schema = try toOne.target
    }
    return schema
  }
}
