import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLQueries
import PostgreSQLTables

/// Reads the description of a table from the server's catalogue and the library's own.
extension StoredTable {
  /// - Parameters:
  ///   - name: the name of the table after renamings.
  ///   - storedName: its name now.
  ///   - renamings: the new names of renamed tables, by the names that they have now.
  init(
    _ name: String, storedAs storedName: String, renamings: [String: String] = [:],
    _ rows: StoredRows
  ) throws {
    self.name = name
    self.storedName = storedName
    let relationships = try Self.relationships(of: storedName, renamings, rows)
    let triggers = try Self.names(
      "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass($1) AND NOT tgisinternal",
      storedName, rows)
    columns = try Self.columns(of: storedName, relationships, triggers, rows)
    collections = try relationships.compactMap { relationship in
      guard let joinTable = relationship.joinTable else { return nil }
      return try StoredCollection(relationship, joinTable, rows)
    }
    indexes = try Self.indexes(of: storedName, rows)
  }

  private static func relationships(
    of table: String, _ renamings: [String: String], _ rows: StoredRows
  ) throws -> [Relationship] {
    let result = try translatingErrors {
      try rows.session.connection.run(Catalogue.selectRelationships)
    }
    return (0..<result.count).map { Relationship(result, $0) }.filter { $0.owner == table }
      .map { $0.renaming(renamings) }
  }

  private static func run(
    _ sql: String, _ table: String, _ rows: StoredRows
  ) throws -> PostgreSQLResult {
    let session = rows.session
    session.fields.removeAll()
    session.fields.append(text: table.quoted)
    return try session.run(session.statement(sql, [.text]))
  }

  private static func names(
    _ sql: String, _ table: String, _ rows: StoredRows
  ) throws -> Set<String> {
    let result = try run(sql, table, rows)
    return Set((0..<result.count).map { result.text($0, 0) })
  }

  private static func columns(
    of table: String, _ relationships: [Relationship], _ triggers: Set<String>, _ rows: StoredRows
  ) throws -> [StoredColumn] {
    let result = try run(
      """
      SELECT attname::text, atttypid::bigint, attnotnull, (SELECT collname::text FROM pg_collation \
      WHERE oid = attcollation) FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
      """, table, rows)
    return (0..<result.count).compactMap { row in
      let name = result.text(row, 0)
      guard name != "z_index" else { return nil }
      return StoredColumn(
        name: name, values: .stored(name),
        type: PostgreSQLType(oid: UInt32(truncatingIfNeeded: result.integer(row, 1))),
        collation: result.isNull(row, 3)
          ? nil : MagicCollation(postgreSQLName: result.text(row, 3)),
        isRequired: result.integer(row, 2) != 0,
        reference: relationships.first { $0.property == name && $0.joinTable == nil },
        isFile: triggers.contains(TableDefinition.assetTrigger(name, of: table)))
    }
  }

  /// The indexes over columns, except that of the row ID.
  private static func indexes(of table: String, _ rows: StoredRows) throws -> [StoredIndex] {
    let result = try run(
      """
      SELECT c.relname::text, i.indisunique, i.indisvalid, a.attname::text, k.number = 0 \
      FROM pg_index AS i \
      JOIN pg_class AS c ON c.oid = i.indexrelid \
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, position) \
      JOIN pg_attribute AS a ON \(Catalogue.isIndexedColumn) \
      WHERE i.indrelid = to_regclass($1) AND NOT i.indisprimary \
      AND starts_with(c.relname::text, 'magic_index_') \
      AND i.indpred IS NULL ORDER BY c.relname, k.position
      """, table, rows)
    var indexes: [StoredIndex] = []
    for row in 0..<result.count {
      let name = result.text(row, 0)
      let column = result.text(row, 3)
      let folded = result.integer(row, 4) != 0 ? [column] : []
      if indexes.last?.name == name {
        indexes[indexes.count - 1].columns.append(column)
        indexes[indexes.count - 1].foldedColumns += folded
        continue
      }
      indexes.append(
        StoredIndex(
          name: name, columns: [column], foldedColumns: folded,
          isUnique: result.integer(row, 1) != 0,
          isValid: result.integer(row, 2) != 0))
    }
    return indexes
  }
}

extension StoredCollection {
  fileprivate init(
    _ relationship: Relationship, _ joinTable: String, _ rows: StoredRows
  ) throws {
    let session = rows.session
    session.fields.removeAll()
    session.fields.append(text: joinTable.quoted)
    let result = try session.run(
      session.statement(
        """
        SELECT attname::text, atttypid::bigint FROM pg_attribute WHERE attrelid = to_regclass($1) \
        AND attname IN ('position', 'key') AND NOT attisdropped ORDER BY attname DESC
        """, [.text]))
    let column = result.count > 0 ? result.text(0, 0) : ""
    name = relationship.property
    self.joinTable = joinTable
    storedTable = joinTable
    target = relationship.target
    rule = relationship.rule
    kind = column == "position" ? .list : column == "key" ? .dictionary : .set
    keyType =
      column == "key"
      ? PostgreSQLType(oid: UInt32(truncatingIfNeeded: result.integer(0, 1))) : nil
  }
}
