import Foundation
import DatabaseTransfer
import MagicFiles
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// A database of PostgreSQL that is read, on one snapshot.
package final class PostgreSQLSource: PostgreSQLSide, TransferSource {
  /// - Parameters:
  ///   - information: the connection string of libpq, or a URI.
  ///   - schema: the schema of the tables; nil for the first one of the `search_path` that has them.
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.newerFormat`.
  package init(_ information: String, schema: String?) throws {
    try super.init(connectingTo: information, schema: schema)
    do {
      _ = try translatingErrors {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      }
      guard try Catalogue.exists(on: connection) else {
        throw MagicError(
          .notADatabase, "The database on the server contains no objects of MagicData.")
      }
      try PostgreSQLTransferConnection.checkFormat(connection)
    } catch {
      connection.close()
      throw error
    }
  }
}

/// Opens connections for copies.
enum PostgreSQLTransferConnection {
  static func open(_ information: String, schema: String?) throws -> PostgreSQLConnection {
    try translatingErrors {
      let connection = try PostgreSQLConnection(information)
      try PostgreSQLDatabase.checkVersion(of: connection)
      // Rows that the user may not see are an error, and a copy may take longer than other uses.
      try connection.execute("SET row_security TO off")
      try connection.execute("SET statement_timeout TO 0")
      try connection.execute("SET idle_in_transaction_session_timeout TO 0")
      if connection.serverVersion >= 170_000 {
        try connection.execute("SET transaction_timeout TO 0")
      }
      if let schema { try connection.execute("SET search_path TO \(schema.quoted)") }
      return connection
    }
  }

  static func checkFormat(_ connection: PostgreSQLConnection) throws {
    let found = try translatingErrors {
      try connection.execute("SELECT version FROM magic_format")
    }
    guard found.count == 1, (Int(found.text(0, 0)) ?? .max) <= Catalogue.format else {
      throw MagicError(
        .newerFormat, "A newer version of MagicData has created the tables of the database.")
    }
  }
}

/// The pieces of an asset, read in the transaction of a connection.
final class StoredPieces: ReadableFile, @unchecked Sendable {
  let size: Int
  private let name: AssetName
  private let connection: PostgreSQLConnection
  private let noteFailure: (any Error) -> Void

  /// - Parameter noteFailure: receives why a read has failed, because a `FileError` cannot contain it.
  init(
    _ name: AssetName, on connection: PostgreSQLConnection,
    _ noteFailure: @escaping (any Error) -> Void
  ) throws {
    self.name = name
    self.connection = connection
    self.noteFailure = noteFailure
    size = name.size
    let fields = PostgreSQLFields()
    fields.append(text: name.text)
    let found = try translatingErrors { try connection.run(Self.selectSize, fields) }
    guard found.count == 1, found.integer(0, 0) == Int64(size) else {
      throw MagicError(
        .assetMissing, "The content of an asset is missing or incomplete: \(name.text).")
    }
  }

  /// The names of the assets that rows refer to.
  static func assets(on connection: PostgreSQLConnection) throws -> [AssetName] {
    try translatingErrors {
      let result = try connection.execute("SELECT name FROM magic_assets WHERE uses > 0 ORDER BY 1")
      return try (0..<result.count).map { row in
        guard let name = AssetName(result.text(row, 0)) else {
          throw MagicError(.corrupt, "The name of an asset has another form than the library's.")
        }
        return name
      }
    }
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    var count = 0
    while count < buffer.count, offset + count < size {
      let read = try readPiece(
        at: offset + count, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      guard read > 0 else { throw FileError(.read, name.text, code: .wrongSize) }
      count += read
    }
    return count
  }

  private func readPiece(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    let (part, start) = offset.quotientAndRemainder(dividingBy: AssetTables.pieceSize)
    let fields = PostgreSQLFields()
    fields.append(text: name.text)
    fields.append(integer: Int64(part))
    let result: PostgreSQLResult
    do {
      result = try connection.run(Self.selectPiece, fields)
    } catch {
      noteFailure(MagicError(error))
      throw FileError(.read, name.text, number: EIO)
    }
    defer { withExtendedLifetime(result) {} }
    guard result.count == 1, let bytes = result.value(0, 0).bytes, bytes.count > start else {
      return 0
    }
    let count = min(bytes.count - start, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
    return count
  }

  func close() {}

  private static let selectSize = PostgreSQLStatement(
    "SELECT size FROM magic_assets WHERE name = $1", [.text])
  private static let selectPiece = PostgreSQLStatement(
    "SELECT bytes FROM magic_asset_data WHERE name = $1 AND part = $2", [.text, .bigint])
}
