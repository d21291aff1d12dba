import Foundation
package import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteFiles
import SQLiteMaintenance
import SQLiteTables

/// A new database file. It gets its name when it is complete and on disk.
package final class SQLiteTarget: TransferTarget {
  private let file: BackupTarget
  private let connection: SQLiteConnection
  private let reading: SQLiteRows
  private var batches: Set<String> = []
  /// The statement that inserts the rows of the current table.
  private var inserting: SQLiteStatement?

  /// - Throws: `MagicError`: `.fileExists` if there is a file at the path, `.cannotOpen`, `.readOnly`.
  package init(
    path: String,
    on makeFileSystem: @Sendable (String, FileDurability) -> any FileSystem = {
      DiskFileSystem(root: $0, durability: $1)
    }
  ) throws {
    let file = try BackupTarget(path, besides: nil, noun: "copy", on: makeFileSystem)
    self.file = file
    do {
      connection = try translatingErrors {
        let connection = try SQLiteConnection(
          path: file.partialPath,
          configuration: SQLiteConfiguration(access: .readWriteExisting, durability: .normal))
        // References are checked at the end, because rows can refer to rows that follow.
        try connection.execute("PRAGMA foreign_keys = OFF")
        // The keys of a large index are sorted in a file, so that memory is bounded.
        try connection.execute("PRAGMA temp_store = FILE")
        try connection.begin(.immediate)
        return connection
      }
    } catch {
      file.discard()
      throw error
    }
    reading = SQLiteRows(connection: connection)
  }

  // MARK: Writing

  package func create(_ tables: [TransferredTable]) throws {
    try translatingErrors {
      try SQLiteTableWriter(connection: connection).create(tables)
    }
  }

  package func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    if batches.insert(asset.batch).inserted { try file.makeBatch(asset.batch) }
    try file.writing {
      let new = try file.directory.create(file.path(of: asset))
      try content.forEachPiece { try new.write($0) }
      try new.close()
      try file.directory.sync(file.path(of: asset))
    }
    try translatingErrors { try AssetTable(connection: connection).insert(asset) }
  }

  package func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    for (index, value) in values.enumerated() {
      if case .real(let real) = value, real.isNaN {
        throw rows.error(index, "SQLite cannot store NaN", values.first)
      }
    }
    try translatingErrors {
      let statement = try inserting ?? connection.prepare(SQLiteTableWriter.insert(rows))
      inserting = statement
      for (index, value) in values.enumerated() {
        try SQLiteRows.bind(value, to: statement, at: index + 1)
      }
      try statement.run()
      // A member of an owned list is changed, and not inserted.
      guard connection.changes == 1 else {
        throw MagicError(
          .brokenReference,
          "A member of the list does not exist, or is also in another list.",
          type: rows.description)
      }
    }
  }

  package func finish(_ rows: TransferredRows) throws { inserting = nil }

  package func complete(_ tables: [TransferredTable]) throws {
    try translatingErrors {
      try SQLiteTableWriter(connection: connection).complete(tables)
      let broken = try connection.textColumn(
        "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")
      if let table = broken.first {
        throw MagicError(
          .brokenReference,
          "A row refers to a row that does not exist. `magic verify` lists such rows.", type: table)
      }
    }
  }

  package func isComplete(_ table: TransferredTable) -> Bool {
    SQLiteTableWriter.isComplete(table)
  }

  package func commit() throws {
    try translatingErrors {
      try connection.commit()
      // Closing the connection would ignore an error. The first column says whether there are readers.
      guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
        throw MagicError(.inputOutput, "The pages of the copy cannot be written.")
      }
    }
    connection.close()
    try file.publish(batches: batches)
  }

  package func discard() {
    close()
    file.discard()
  }

  package func close() {
    inserting = nil
    connection.rollBack()
    connection.close()
  }

  // MARK: Reading

  package func tables() throws -> [TransferredTable] {
    try translatingErrors { try SQLiteTableReader(connection: connection).tables() }
  }

  package func count(_ rows: TransferredRows) throws -> Int { try reading.count(rows) }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws { try reading.forEach(rows, body) }

  package func assets() throws -> [AssetName] { try SQLiteSource.assets(on: connection) }

  package func open(_ asset: AssetName) throws -> any ReadableFile {
    try file.writing { try file.directory.open(file.path(of: asset)) }
  }
}
