package import DatabaseTransfer
package import MagicFiles
package import MagicSchema

/// A new folder to which a database is exported as text for other programs: as CSV or as SQL. No database
/// is imported from it, so that it is not compared with its source.
package final class TextTarget: TransferTarget {
  package enum Format: Sendable { case csv, sql }

  private let folder: NewFolder
  private let format: any TextFormat

  /// - Parameter makeFileSystem: creates the access to the files in a folder.
  /// - Throws: `MagicError`: `.fileExists` if there is something at the path, `.cannotOpen`,
  ///   `.readOnly`, `.diskFull`.
  package init(
    path: String, _ format: Format,
    on makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem = {
      DiskFileSystem(root: $0, durability: $1)
    }
  ) throws {
    folder = try NewFolder(path: path, on: makeFileSystem)
    self.format =
      switch format {
      case .csv: CSVFormat(folder)
      case .sql: SQLFormat(folder)
      }
  }

  package static func unreadable() -> MagicError {
    MagicError(
      .invalidOption,
      "A database cannot be imported from CSV or SQL. Export it to a folder of JSON lines, or import "
        + "the records of a file into a type.")
  }

  // MARK: Writing

  package func create(_ tables: [TransferredTable]) throws { try format.create(tables) }

  package func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    try folder.store(asset, content)
  }

  package func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    try format.insert(values, into: rows)
  }

  package func finish(_ rows: TransferredRows) throws { try format.finish(rows) }

  package func complete(_ tables: [TransferredTable]) throws { try format.complete(tables) }

  /// No program completes a text.
  package func isComplete(_ table: TransferredTable) -> Bool { true }

  package func commit() throws { try folder.publish() }

  package func discard() {
    close()
    folder.discard()
  }

  package func close() {
    format.close()
    folder.close()
  }

  // MARK: Reading

  package var isReadable: Bool { false }

  package func tables() throws -> [TransferredTable] { throw Self.unreadable() }

  package func count(_ rows: TransferredRows) throws -> Int { throw Self.unreadable() }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws { throw Self.unreadable() }

  package func assets() throws -> [AssetName] { try written.assets() }

  package func open(_ asset: AssetName) throws -> any ReadableFile { try written.open(asset) }

  private var written: ExportFolder {
    ExportFolder(files: folder.files, path: folder.partialPath)
  }
}
