package import DatabaseTransfer
package import MagicFiles
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLFiles
import PostgreSQLTables

/// A new database of PostgreSQL, which one transaction creates.
package final class PostgreSQLTarget: PostgreSQLSide, TransferTarget {
  /// The rows of the next COPY.
  private let fields = PostgreSQLFields()
  private var rowCount = 0

  /// The sizes of one COPY, whose rows are in memory.
  private static let byteLimit = 1 << 20
  private static let rowLimit = 10_000

  /// - Parameters:
  ///   - information: the connection string of libpq, or a URI.
  ///   - schema: the schema of the tables, created if it is missing; nil for the one that the server
  ///     chooses.
  /// - Throws: `MagicError`: `.cannotOpen`, and `.tableConflict` if the database is not empty.
  package init(_ information: String, schema: String?) throws {
    try super.init(connectingTo: information, schema: schema)
    do {
      try translatingErrors { try begin(schema) }
    } catch {
      discard()
      throw error
    }
  }

  private func begin(_ schema: String?) throws {
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    let former = try connection.run(Catalogue.selectSchema)
    // Without the lock, another process could create the same tables.
    try connection.execute(
      PostgreSQLDatabase.lock(
        catalogueIn: former.count == 1 ? former.text(0, 0) : schema))
    if let schema { try connection.execute("CREATE SCHEMA IF NOT EXISTS \(schema.quoted)") }
    if try Catalogue.exists(on: connection) {
      try PostgreSQLTransferConnection.checkFormat(connection)
      let found = try connection.run(Catalogue.selectSchema).text(0, 0)
      try connection.execute("SET search_path TO \(found.quoted)")
    }
    guard try !connection.execute("SELECT current_schema()").isNull(0, 0) else {
      throw MagicError(
        .cannotOpen,
        "No schema of the user's search_path exists. Create one, or name a schema.")
    }
    for sql in Catalogue.create + [TableOrigin.create] { try connection.execute(sql) }
    try connection.execute("LOCK TABLE magic_types, magic_assets IN ACCESS EXCLUSIVE MODE")
    let content = try connection.execute(
      "SELECT EXISTS (SELECT FROM magic_types) OR EXISTS (SELECT FROM magic_assets)")
    guard content.text(0, 0) == "f" else {
      throw MagicError(
        .tableConflict,
        "The destination is not empty. Name another schema, or drop this one with its tables.")
    }
  }

  // MARK: Writing

  package func create(_ tables: [TransferredTable]) throws {
    try translatingErrors {
      try PostgreSQLTableWriter(connection: connection).create(tables)
    }
  }

  package func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    guard try AssetPieces.store(asset, content, on: connection, fields) else {
      throw MagicError(.corrupt, "The source contains an asset twice.")
    }
  }

  package func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    beginRow(values.count)
    for value in values { PostgreSQLRows.append(value, to: fields) }
    if fields.byteCount >= Self.byteLimit || rowCount >= Self.rowLimit { try finish(rows) }
  }

  package func finish(_ rows: TransferredRows) throws {
    do {
      try send("\(PostgreSQLRows.table(of: rows)) (\(PostgreSQLRows.columns(of: rows)))")
    } catch let error as MagicError {
      throw MagicError(
        error.code, error.message, type: error.type ?? rows.description, property: error.property,
        cause: error.cause)
    }
  }

  private func beginRow(_ columnCount: Int) {
    if rowCount == 0 {
      fields.removeAll()
      fields.appendCopyHeader()
    }
    fields.beginCopyRow(columnCount)
    rowCount += 1
  }

  private func send(_ table: String) throws {
    guard rowCount > 0 else { return }
    fields.appendCopyTrailer()
    rowCount = 0
    _ = try translatingErrors {
      try connection.copy("COPY \(table) FROM STDIN (FORMAT binary)", in: fields)
    }
  }

  package func complete(_ tables: [TransferredTable]) throws {
    try translatingErrors {
      try PostgreSQLTableWriter(connection: connection).complete(tables)
    }
  }

  package func isComplete(_ table: TransferredTable) -> Bool { !table.isPartial }

  package func commit() throws {
    do {
      try connection.commit()
    } catch  where error.kind == .uncertain {
      throw MagicError(
        .uncertain,
        "The commit of the copy was not confirmed. The destination has all or nothing: repeat the "
          + "copy; `.tableConflict` means that it has all.", cause: error)
    } catch {
      throw MagicError(error)
    }
    connection.close()
  }

  package func discard() { close() }
}
