package import MagicRequests
import MagicSchema

/// The places of a statement at which an interpolated column needs the name of its table.
///
/// A statement may name several tables that have a column of the same name. Without a qualifier,
/// SQLite reads the column of the innermost SELECT that has one, which may be another type's column.
package struct ColumnQualifier {
  fileprivate typealias Name = RawStatement.Name

  private let statement: RawStatement
  private let tokens: [(token: SQLToken, range: Range<Int>)]
  /// The tables of the statement's FROM clauses.
  private var sources: [Source] = []

  /// A table or join table of a FROM clause.
  fileprivate struct Source {
    let name: Name
    let alias: String
    let scope: Int
  }

  package init(_ statement: RawStatement, _ dialect: SQLDialect) {
    self.statement = statement
    tokens = SQLToken.located(in: statement.text, dialect: dialect)
  }

  /// Returns the text with the qualifiers.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a column whose table is named more than once.
  package mutating func qualifiedText() throws -> String {
    guard tokens.first?.token.keyword != "CREATE" else { return statement.text }
    let scopes = ScopeReader(tokens).scopes()
    let indices = Dictionary(
      tokens.enumerated().map { ($1.range.lowerBound, $0) }, uniquingKeysWith: { first, _ in first }
    )
    for name in statement.names where name.isSource {
      guard let index = indices[name.offset], scopes[index].clause != "INTO",
        following(index) != .symbol(".")
      else { continue }
      sources.append(
        Source(
          name: name, alias: alias(after: index) ?? name.schema.tableName,
          scope: scopes[index].scope))
    }
    let parents = ScopeReader.parents(scopes)
    var text: [UInt8] = []
    var end = 0
    let bytes = Array(statement.text.utf8)
    for name in statement.names where name.isUnqualified {
      guard let index = indices[name.offset], !scopes[index].isName,
        token(index - 1) != .symbol("."),
        !isAssigned(index, scopes[index].clause),
        let alias = try qualifier(of: name, in: scopes[index].scope, parents)
      else { continue }
      text += bytes[end..<name.offset]
      text += Array("\(alias.quoted).".utf8)
      end = name.offset
    }
    return String(decoding: text + bytes[end...], as: UTF8.self)
  }

  /// Returns the alias of a column's table; nil if the column needs no qualifier.
  private func qualifier(of column: Name, in scope: Int, _ parents: [Int?]) throws -> String? {
    var own: [Source] = []
    var isAmbiguous = false
    var next: Int? = scope
    while let scope = next {
      let visible = sources.filter { $0.scope == scope }
      if own.isEmpty {
        own = visible.filter { $0.name.isTable && $0.name.schema === column.schema }
      }
      isAmbiguous =
        isAmbiguous
        || visible.contains { source in
          source.has(column) && !own.contains { $0.name.offset == source.name.offset }
        }
      next = parents[scope]
    }
    guard own.count < 2 else {
      throw MagicError(
        .invalidQuery,
        "The SQL names the table of \(column.schema.typeName) \(own.count) times, so a column of it "
          + "is ambiguous. Give each table an alias, and name it: \\(column: …, of: \"alias\").",
        type: column.schema.typeName)
    }
    return isAmbiguous ? own.first?.alias : nil
  }

  private func token(_ index: Int) -> SQLToken? {
    tokens.indices.contains(index) ? tokens[index].token : nil
  }

  private func following(_ index: Int) -> SQLToken? { token(index + 1) }

  /// Returns whether a column is assigned by SET.
  private func isAssigned(_ index: Int, _ clause: String) -> Bool {
    clause == "SET" && following(index) == .symbol("=")
      && (token(index - 1) == .symbol(",") || token(index - 1)?.keyword == "SET")
  }

  private func alias(after table: Int) -> String? {
    guard let next = following(table) else { return nil }
    if next.keyword == "AS" { return token(table + 2)?.identifier }
    if let keyword = next.keyword, Self.keywordsAfterTable.contains(keyword) { return nil }
    return next.identifier
  }

  /// The keywords that may follow a table without an alias.
  private static let keywordsAfterTable: Set<String> = [
    "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "ON", "USING", "WHERE",
    "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "SET",
    "VALUES", "SELECT", "DEFAULT", "INDEXED", "NOT", "RETURNING",
  ]
}

extension RawStatement.Name {
  fileprivate var isSource: Bool {
    switch kind {
    case .table, .links: true
    case .column, .qualifiedColumn: false
    }
  }
}

extension ColumnQualifier.Source {
  /// Returns whether the table has a column with the name of a column.
  fileprivate func has(_ column: RawStatement.Name) -> Bool {
    guard case .column(let index) = column.kind else { return false }
    let isRowID = index == ColumnPath.rowID || column.schema.columns[index].isRowID
    guard name.isTable else {
      return !isRowID
        && ["owner", "target", "position", "key"].contains(
          column.schema.columns[index].name.lowercased())
    }
    return isRowID
      || name.schema.columns.contains { $0.name.isName(column.schema.columns[index].name) }
  }
}
