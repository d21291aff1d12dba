import Foundation
package import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteFiles
import SQLiteMaintenance
import SQLiteTables

/// A database file that is read, on one snapshot.
package final class SQLiteSource: TransferSource {
  private let connection: SQLiteConnection
  private let folder: AssetFolder
  /// The lock that keeps the assets of the snapshot; nil if no process can delete them.
  private var folderLock: FolderLock?
  private let reading: SQLiteRows

  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.newerFormat`, `.busy`;
  ///   `CancellationError`.
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
      try translatingErrors { try begin() }
      let catalogue = Catalogue(connection: connection)
      try catalogue.checkFormat()
      guard try translatingErrors({ try catalogue.format() }) > 0 else {
        throw MagicError(.notADatabase, "The file contains no objects of MagicData.")
      }
    } catch {
      close()
      throw error
    }
  }

  /// Begins the snapshot.
  private func begin() throws {
    var attempt = 0
    while true {
      attempt += 1
      // The folder is locked before the snapshot begins, so that none of its files is deleted.
      folderLock = try folder.lockForCopying(waiting: Self.busyTimeout) {
        try Task.checkCancellation()
      }
      try connection.begin(.deferred)
      // The folder may have been created after the lock was requested; then another attempt locks it.
      // If the folder was lost, no attempt can lock it.
      if try folderLock?.isLocked != false || attempt == 3 || !Self.hasAssets(on: connection) {
        return
      }
      connection.rollBack()
    }
  }

  package func close() {
    connection.rollBack()
    connection.close()
    guard let folderLock, folderLock.isLocked else { return }
    folderLock.release()
    folder.removeLockFile()
  }

  /// How long the copy waits for other processes, in seconds.
  private static let busyTimeout = 5.0

  private static func hasAssets(on connection: SQLiteConnection) throws -> Bool {
    guard try Catalogue(connection: connection).exists(AssetTable.name) else { return false }
    return try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \"magic_assets\" WHERE \"uses\" > 0)") == 1
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
