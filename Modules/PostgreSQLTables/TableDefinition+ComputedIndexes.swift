import MagicEngine
package import MagicSchema
import PostgreSQLQueries

/// Indexes over expressions, and partial indexes.
extension TableDefinition {
  /// The beginning of their names.
  package static let computedIndexPrefix = "magic_computed_"

  private static func name(of index: IndexSchema) -> String {
    computedIndexPrefix + ObjectSchema.fingerprint(of: index.name)
  }

  /// The names of the indexes over expressions, and of the partial indexes.
  package func computedIndexNames() throws -> [String] {
    try schema.computedIndexes.map(Self.name)
  }

  package static func computedIndex(named name: String, of schema: ObjectSchema) -> IndexSchema? {
    (try? schema.computedIndexes)?.first { Self.name(of: $0) == name }
  }

  /// Creates the indexes that do not exist.
  package func createComputedIndexes() throws -> [String] {
    let table = QueryTable(
      name: schema.tableName.quoted,
      columns: schema.columns.map { QueryTable.Column(name: $0.name.quoted, type: $0.type) },
      links: [])
    return try schema.computedIndexes.compactMap { index in
      guard let computed = index.computed else { return nil }
      func sql(_ expression: any IndexExpression, isCondition: Bool) throws -> String {
        guard let indexed = expression as? IndexedExpression else {
          throw MagicError.malformedQuery
        }
        return try QueryRenderer.definition(of: indexed, isCondition: isCondition, schema, table)
      }
      let list =
        computed.expressions.isEmpty
        ? Self.keys(of: index.columns, collation: collation(of:))
        : try computed.expressions.map { "(\(try sql($0, isCondition: false)))" }
      let predicate =
        try computed.predicate.map { " WHERE \(try sql($0, isCondition: true))" } ?? ""
      return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS "
        + "\(Self.name(of: index).quoted) ON \(schema.tableName.quoted) "
        + "(\(list.joined(separator: ", ")))\(predicate)"
    }
  }
}
