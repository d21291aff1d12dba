package import MagicRequests
package import MagicSchema

/// Reads a condition in SQL that is a part of a query.
package enum FragmentReader {
  /// A part of a condition.
  package enum Part {
    case text(String)
    /// A column of the type, by its index.
    case column(Int)
    /// An interpolated value.
    case parameter
  }

  /// Returns the parts of a condition.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a condition that is not one expression.
  package static func parts(
    of fragment: SQLFragment, _ schema: ObjectSchema, dialect: SQLDialect
  ) throws -> [Part] {
    let text = fragment.statement.text
    let tokens = SQLToken.located(in: text, dialect: dialect)
    try check(tokens.map(\.token))
    let bytes = Array(text.utf8)
    let columns = try columns(of: fragment.statement, schema)
    // A subquery has columns of its own, so only interpolated names are qualified.
    let hasSubquery = tokens.contains { ["SELECT", "VALUES", "WITH"].contains($0.token.keyword) }
    var parts: [Part] = []
    var end = tokens.first?.range.lowerBound ?? 0
    for (index, (token, range)) in tokens.enumerated() {
      // Comments are omitted, because a comment may include the SQL that follows the condition.
      if range.lowerBound > end { parts.append(.text(" ")) }
      end = range.upperBound
      let word = String(decoding: bytes[range], as: UTF8.self)
      if let property = columns[range.lowerBound]
        ?? (hasSubquery ? nil : column(token, at: index, in: tokens, schema))
      {
        parts.append(.column(property))
      } else if token == .parameter, word == "?" {
        parts.append(.parameter)
      } else if token == .parameter {
        throw MagicError.invalidSQL(
          "A condition of a query cannot have the parameter \(word). Interpolate the value.")
      } else {
        parts.append(.text(word))
      }
    }
    return parts
  }

  /// Returns the interpolated columns, by their offsets.
  private static func columns(
    of statement: RawStatement, _ schema: ObjectSchema
  ) throws -> [Int: Int] {
    var columns: [Int: Int] = [:]
    for name in statement.names {
      switch name.kind {
      case .column(let index) where name.schema === schema: columns[name.offset] = index
      default:
        throw MagicError(
          .invalidQuery,
          "A condition of a query on \(schema.typeName) can name only columns of "
            + "\(schema.typeName), without a table.", type: schema.typeName)
      }
    }
    return columns
  }

  /// Returns the column that a token names.
  private static func column(
    _ token: SQLToken, at index: Int, in tokens: [(token: SQLToken, range: Range<Int>)],
    _ schema: ObjectSchema
  ) -> Int? {
    let previous = index > 0 ? tokens[index - 1].token : nil
    // The name after `::` is that of a type.
    guard let name = token.identifier, previous != .symbol("."), previous != .symbol("::") else {
      return nil
    }
    if index + 1 < tokens.count {
      let next = tokens[index + 1]
      // A qualifier, a function, or the letter of a blob literal.
      let isAdjacent = next.range.lowerBound == tokens[index].range.upperBound
      if next.token == .symbol(".") || next.token == .symbol("(")
        || isAdjacent && next.token == .value
      {
        return nil
      }
    }
    if name.isName("z_index") { return ColumnPath.rowID }
    return schema.columns.firstIndex { $0.name.isName(name) }
  }

  /// Checks that the tokens are one expression, which cannot end the expression that contains it.
  private static func check(_ tokens: [SQLToken]) throws {
    var depth = 0
    for token in tokens {
      switch token {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .symbol(";"):
        throw MagicError.invalidSQL("A condition of a query cannot contain a semicolon.")
      default: break
      }
      if depth < 0 { break }
    }
    guard depth == 0 else {
      throw MagicError.invalidSQL("The parentheses of a condition of a query are not balanced.")
    }
    guard !tokens.isEmpty else { throw MagicError.invalidSQL("A condition of a query is empty.") }
  }
}
