import Foundation
package import MagicEngine
package import MagicSchema
import MagicSQLText
package import SQLiteEngine
import SQLiteTables

/// A read does not change a file, even if a type that it names has no table in the file. An owned
/// list is read under the name of the join table that it would have.
extension RawStatement {
  /// Returns the text for a read. A WITH clause defines an empty common table expression for each
  /// missing table under the table's name, so that names, aliases and qualifiers work as usual.
  ///
  /// - Returns: nil for a statement that writes and names a missing table.
  /// - Throws: the errors of ``check()``.
  package func text(
    forReadingOn store: StoreConnection, _ schemas: [ObjectSchema]
  ) throws -> String? {
    try check()
    let text = try qualifiedText(dialect: .sqlite)
    // Checks all tables first, because an outdated table throws.
    let incomplete = try schemas.filter { try !store.hasAllTables(of: $0) || $0.hasOwnedLists }
    guard !incomplete.isEmpty else { return text }
    let expressions = try incomplete.flatMap { schema in
      let table = try store.queryTable(of: schema)
      return (table.name == nil ? ["\(schema.tableName.quoted) AS \(table.source)"] : [])
        + table.links.filter { link in !link.hasJoinTable && names(link) }
        .map { "\($0.declaredName) AS \($0.joinTable)" }
    }
    guard !expressions.isEmpty else { return text }
    guard let point = WithClause.InsertionPoint(in: text, dialect: .sqlite) else {
      let keyword = StatementKeyword.first(of: text, dialect: .sqlite)
      return StatementKeyword.changesRows(keyword) ? nil : text
    }
    return Self.text(text, with: expressions, at: point)
  }

  /// Returns the text for a statement that may write, whose tables exist. A WITH clause defines the
  /// owned lists that it reads.
  func text(forWritingOn store: StoreConnection, _ schemas: [ObjectSchema]) throws -> String {
    let text = try qualifiedText(dialect: .sqlite)
    let lists = try schemas.filter(\.hasOwnedLists).flatMap { try store.queryTable(of: $0).links }
      .filter { !$0.hasJoinTable && names($0) }
    guard !lists.isEmpty,
      let point = WithClause.InsertionPoint(in: text, dialect: .sqlite, mayWrite: true)
    else { return text }
    return Self.text(
      text, with: lists.map { "\($0.declaredName) AS \($0.joinTable)" }, at: point)
  }

  private func names(_ list: QueryTable.Links) -> Bool {
    text.range(of: list.declaredName) != nil
  }
}

extension ObjectSchema {
  fileprivate var hasOwnedLists: Bool { collections.contains(where: \.isOwned) }
}
