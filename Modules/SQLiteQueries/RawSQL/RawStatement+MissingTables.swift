package import MagicEngine
package import MagicSchema
package import SQLiteEngine
import SQLiteTables

/// A read leaves a file as it is, also where a type that it names has no table in it.
extension RawStatement {
  /// The text for a read: what has no table goes by its name as a relation without rows, which a
  /// WITH clause brings, so that names, other names and qualifiers mean what they always do.
  ///
  /// - Returns: nil for a statement that writes and lacks a table.
  /// - Throws: as ``check()``.
  package func text(
    forReadingOn store: StoreConnection, _ schemas: [ObjectSchema]
  ) throws -> String? {
    try check()
    // All tables are looked at first: what is outdated is thrown.
    let lacking = try schemas.filter { try !store.hasAllTables(of: $0) }
    guard !lacking.isEmpty else { return text }
    let relations = try lacking.flatMap { schema in
      let table = try store.queryTable(of: schema)
      return (table.name == nil ? ["\(schema.tableName.quoted) AS \(table.source)"] : [])
        + table.links.filter { $0.name == nil }.map { "\($0.declaredName) AS \($0.source)" }
    }
    guard let place = WithClause.Place(in: text) else {
      return StatementKeyword.changesRows(StatementKeyword.first(of: text)) ? nil : text
    }
    let list = relations.joined(separator: ", ")
    let clause = place.isInClause ? " \(list), " : "WITH \(list) "
    return "\(text[..<place.index])\(clause)\(text[place.index...])"
  }
}
