import MagicEngine
import MagicSchema
import SQLiteEngine

extension QueryRenderer {
  /// A column of a row, or of one that to-ones refer to.
  mutating func column(_ path: ColumnPath) throws -> SQLTerm {
    try column(path.property, behind: path.toOnes, in: try scope(of: path))
  }

  /// The scope that a path begins in, by its index among those that are open.
  func scope(of path: ColumnPath) throws -> Int {
    let index =
      path.scope == .innermost
      ? scopes.indices.last : scopes.lastIndex { $0.id == path.scope }
    guard let index, scopes[index].schema.ordinal == path.type else {
      throw MagicError(.invalidQuery, "A row is used outside the closure that it was given to.")
    }
    return index
  }

  mutating func column(
    _ property: Int, behind toOnes: [Int], in scope: Int
  ) throws -> SQLTerm {
    // The row ID of what a to-one refers to is what the to-one's column holds.
    if property == ColumnPath.rowID, let last = toOnes.last {
      return try column(last, behind: toOnes.dropLast(), in: scope)
    }
    let join = try join(toOnes, in: scope)
    guard property != ColumnPath.rowID else {
      return SQLTerm("\(join.alias).\"z_index\"", mayBeNull: join.isOptional)
    }
    guard property < join.schema.columns.count else {
      throw MagicError(
        .invalidQuery, "A collection is no value: ask for its members or their count.",
        type: join.schema.typeName)
    }
    return SQLTerm(
      join.table.column(property, of: join),
      mayBeNull: join.isOptional || join.schema.columns[property].isNullable)
  }

  /// The row that to-ones refer to; each path is joined once.
  private mutating func join(_ toOnes: [Int], in scope: Int) throws -> RowScope.Join {
    guard let last = toOnes.last else { return scopes[scope].root }
    if let known = scopes[scope].joins[toOnes] { return known }
    let before = try join(toOnes.dropLast(), in: scope)
    guard last >= 0, last < before.schema.columns.count,
      let toOne = before.schema.columns[last] as? ToOneColumn
    else { throw MagicError.malformedQuery }
    let target = try toOne.target
    let join = RowScope.Join(
      schema: target, table: try table(target), alias: alias(),
      isOptional: before.isOptional || toOne.isNullable)
    scopes[scope].add(
      join, at: toOnes,
      on: "\(join.alias).\"z_index\" = \(before.table.column(last, of: before))")
    return join
  }

  /// The type that to-ones refer to.
  func schema(behind toOnes: [Int], in scope: Int) throws -> ObjectSchema {
    var schema = scopes[scope].schema
    for step in toOnes {
      guard step >= 0, step < schema.columns.count,
        let toOne = schema.columns[step] as? ToOneColumn
      else { throw MagicError.malformedQuery }
      schema = try toOne.target
    }
    return schema
  }
}
