import Foundation
package import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteFiles
import SQLiteTables

/// A database file that is read, on one snapshot.
package final class SQLiteSource: TransferSource {
  private let connection: SQLiteConnection
  private let folder: AssetFolder
  private let reading: SQLiteRows

  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.newerFormat`.
  package init(path: String) throws {
    let file = try DatabaseFile(path: path)
    guard file.exists else {
      throw MagicError(.cannotOpen, "There is no database at the path \(path).")
    }
    connection = try translatingErrors {
      try SQLiteConnection(
        path: file.path,
        configuration: SQLiteConfiguration(access: .readOnly, cacheSize: 8_192))
    }
    reading = SQLiteRows(connection: connection)
    let assets = file.path + StoreFiles.suffix
    folder = AssetFolder(DiskFileSystem(root: assets, durability: .none), path: assets)
    do {
      try translatingErrors { try connection.begin(.deferred) }
      let catalogue = Catalogue(connection: connection)
      try catalogue.checkFormat()
      guard try translatingErrors({ try catalogue.format() }) > 0 else {
        throw MagicError(.notADatabase, "The file contains no objects of MagicData.")
      }
    } catch {
      connection.close()
      throw error
    }
  }

  package func close() {
    connection.rollBack()
    connection.close()
  }

  package func tables() throws -> [TransferredTable] {
    try translatingErrors { try SQLiteTableReader(connection: connection).tables() }
  }

  package func count(_ rows: TransferredRows) throws -> Int { try reading.count(rows) }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws { try reading.forEach(rows, body) }

  package func assets() throws -> [AssetName] { try Self.assets(on: connection) }

  static func assets(on connection: SQLiteConnection) throws -> [AssetName] {
    try translatingErrors {
      guard try Catalogue(connection: connection).exists(AssetTable.name) else { return [] }
      return try connection.textColumn(
        "SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" > 0 ORDER BY \"name\""
      ).map { text in
        guard let name = AssetName(text) else {
          throw MagicError(.corrupt, "The name of an asset has another form than the library's.")
        }
        return name
      }
    }
  }

  package func open(_ asset: AssetName) throws -> any ReadableFile {
    do {
      return try folder.open(asset)
    } catch {
      throw MagicError(
        .assetMissing,
        "The file of an asset is missing or incomplete: \(asset.text). `magic verify` lists such files.",
        cause: error)
    }
  }
}
