import MagicEngine
import MagicPostgreSQL
package import MagicSchema
package import PostgreSQLEngine
import PostgreSQLTables

/// Creates the indexes of types while other transactions write.
struct ConcurrentIndexes {
  let session: EngineSession

  /// One process at a time, because the server reports an index as invalid while it is created.
  private static let lock = """
    SELECT pg_advisory_lock(hashtextextended('magic.index.' || relnamespace, 0)) \
    FROM pg_class WHERE oid = 'magic_format'::regclass
    """

  /// - Returns: the SQL of the statements that were run.
  func create(for schemas: [ObjectSchema]) throws -> [String] {
    guard try Catalogue.exists(on: session.connection) else { return [] }
    try execute(Self.lock)
    return try schemas.flatMap(create)
  }

  private func create(for schema: ObjectSchema) throws -> [String] {
    guard try session.recordedType(schema.tableName, for: schema) != nil else { return [] }
    let table = try StoredTable(
      schema.tableName, storedAs: schema.tableName, StoredRows(session: session))
    var statements: [String] = []
    for index in table.indexes where !index.isValid {
      statements.append("DROP INDEX CONCURRENTLY IF EXISTS \(index.name.quoted)")
      try execute(statements[statements.count - 1])
    }
    let definition = TableDefinition(schema: schema)
    for (columns, isUnique) in definition.indexes {
      let exists = table.indexes.contains {
        $0.serves(columns, isUnique: isUnique, of: definition)
      }
      // A migration adds the other columns, with their indexes.
      let hasColumns = columns.allSatisfy { name in
        name == "z_index" || table.columns.contains { $0.name == name }
      }
      guard !exists, hasColumns else { continue }
      statements.append(definition.createIndex(columns, isUnique: isUnique, isConcurrent: true))
      do {
        try execute(statements[statements.count - 1])
      } catch {
        let name = TableDefinition.index(columns, of: schema.tableName, isUnique: isUnique)
        try? execute("DROP INDEX CONCURRENTLY IF EXISTS \(name.quoted)")
        guard (error as? MagicError)?.code == .notUnique else { throw error }
        throw MagicError(
          .notUnique,
          "Unique index violated: in table \(schema.tableName), rows have the same value of "
            + "\(columns.joined(separator: ", ")). The index was not created.",
          type: schema.typeName,
          property: columns.count == 1 ? schema.property(storedAs: columns[0]) : nil,
          cause: (error as? MagicError)?.cause)
      }
    }
    return statements
  }

  private func execute(_ sql: String) throws {
    try Task.checkCancellation()
    _ = try translatingErrors { try session.connection.execute(sql) }
  }
}

extension PostgreSQLDatabase {
  /// Creates the indexes of types that their tables lack, each in a transaction of the server's own.
  ///
  /// - Returns: the SQL of the statements that were run.
  package func createIndexes(of schemas: [ObjectSchema]) throws -> [String] {
    guard !isReadOnly else { throw MagicError.readOnly() }
    for schema in schemas { _ = try schema.reach }
    return try withOwnSession { try ConcurrentIndexes(session: $0).create(for: schemas) }
  }
}
