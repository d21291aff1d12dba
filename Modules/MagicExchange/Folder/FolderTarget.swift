package import DatabaseTransfer
import Foundation
package import MagicFiles
import MagicRuntime
import MagicSchema

/// A new folder to which a database is exported. It gets its name when it is complete and on disk.
package final class FolderTarget: TransferTarget {
  private let files: any FileSystem
  private let path: String
  private let name: String
  private let partial: String
  private let folder: ExportFolder
  private var manifest = FolderManifest(tables: [], assets: nil)
  private var stored = FolderManifest.Assets(count: 0, bytes: 0)
  private var batches: Set<String> = []
  private var writer: FileWriter?
  private var isPublished = false

  /// The file of the current rows.
  private struct FileWriter {
    let path: String
    let file: any WritableFile
    var lines: JSONLineWriter
    var count = 0
  }

  /// The number of bytes that are written at once.
  private static let pieceSize = 1 << 20

  /// - Parameter makeFileSystem: creates the access to the files in a folder.
  /// - Throws: `MagicError`: `.fileExists` if there is something at the path, `.cannotOpen`,
  ///   `.readOnly`, `.diskFull`.
  package init(
    path: String,
    on makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem = {
      DiskFileSystem(root: $0, durability: $1)
    }
  ) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MagicError(
        .cannotOpen, "The path of the export is empty, or contains a null character.")
    }
    let url = URL(fileURLWithPath: path)
    let parent = url.deletingLastPathComponent().path
    self.path = url.path
    name = url.lastPathComponent
    partial = "magic-export-\(UUID().uuidString)"
    files = makeFileSystem(parent, .full)
    folder = ExportFolder(files: files, path: partial + "/")
    try checkNothingExists()
    do {
      try MissingDirectories(at: parent).make(.full, on: makeFileSystem)
    } catch {
      throw MagicError(
        .cannotOpen, "The directory of the export cannot be created.", cause: error)
    }
    try writing { _ = try files.makeDirectory(partial) }
  }

  private func checkNothingExists() throws {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw MagicError(
        .fileExists,
        "Something already exists at the path of the export: \(path). Choose another path.")
    }
  }

  // MARK: Writing

  package func create(_ tables: [TransferredTable]) throws {
    var names = FileNames()
    manifest.tables = tables.map { FolderManifest.Table($0, &names) }
  }

  package func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    let root = "\(partial)/\(FolderManifest.assets)"
    try writing {
      if batches.isEmpty { _ = try files.makeDirectory(root) }
      if batches.insert(asset.batch).inserted {
        _ = try files.makeDirectory("\(root)/\(asset.batch)")
      }
      let place = "\(root)/\(asset.text)"
      let file = try files.create(place)
      try content.forEachPiece { try file.write($0) }
      try file.close()
      try files.sync(place)
    }
    stored.count += 1
    stored.bytes += asset.size
  }

  package func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    try begin(rows)
    writer?.lines.write(values)
    writer?.count += 1
    if let size = writer?.lines.bytes.count, size >= Self.pieceSize { try flush() }
  }

  /// Creates the file of rows, unless it exists.
  private func begin(_ rows: TransferredRows) throws {
    guard writer == nil else { return }
    let place = "\(partial)/\(try manifest.place(of: rows).file)"
    writer = FileWriter(
      path: place, file: try writing { try files.create(place) },
      lines: JSONLineWriter(names: rows.names))
  }

  private func flush() throws {
    guard let writer, !writer.lines.bytes.isEmpty else { return }
    try writing { try writer.lines.bytes.withUnsafeBytes { try writer.file.write($0) } }
    self.writer?.lines.removeAll()
  }

  package func finish(_ rows: TransferredRows) throws {
    try begin(rows)
    try flush()
    guard let writer else { return }
    self.writer = nil
    try writing {
      try writer.file.close()
      try files.sync(writer.path)
    }
    try manifest.setCount(of: rows, writer.count)
  }

  package func complete(_ tables: [TransferredTable]) throws {
    manifest.assets = stored
    let data = try manifest.data()
    try writing {
      let place = "\(partial)/\(FolderManifest.file)"
      let file = try files.create(place)
      try data.withUnsafeBytes { try file.write($0) }
      try file.close()
      try files.sync(place)
    }
    // What was written can be imported.
    for table in try folder.manifest().tables { _ = try table.transferred() }
  }

  /// The folder describes everything that the source describes.
  package func isComplete(_ table: TransferredTable) -> Bool { true }

  package func commit() throws {
    try writing {
      if !batches.isEmpty {
        let root = "\(partial)/\(FolderManifest.assets)"
        for batch in batches { try files.syncDirectory("\(root)/\(batch)") }
        try files.syncDirectory(root)
      }
      try files.syncDirectory(partial)
    }
    try checkNothingExists()
    try writing {
      // An empty folder that another program creates meanwhile is replaced; anything else is not.
      try files.rename(partial, to: name)
      isPublished = true
      try files.syncDirectory("")
    }
  }

  package func discard() {
    close()
    let current = isPublished ? name : partial
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: parent.appendingPathComponent(current))
  }

  package func close() {
    try? writer?.file.close()
    writer = nil
  }

  // MARK: Reading

  package func tables() throws -> [TransferredTable] {
    try manifest.tables.map { try $0.transferred() }
  }

  package func count(_ rows: TransferredRows) throws -> Int { 0 }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    try folder.forEachRow(of: rows, in: try manifest.place(of: rows).file, count: nil, body)
  }

  package func assets() throws -> [AssetName] { try folder.assets() }

  package func open(_ asset: AssetName) throws -> any ReadableFile { try folder.open(asset) }

  // MARK: Errors

  /// Translates errors of files into errors about the export.
  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      let (code, message): (MagicError.Code, String) =
        switch error.code {
        case .diskFull: (.diskFull, "The disk is full, and nothing was exported")
        case .denied, .readOnly: (.readOnly, "The directory of the export is not writable")
        case .notFound, .notAFile: (.cannotOpen, "The directory of the export does not exist")
        case .exists: (.fileExists, "Something already exists at the path of the export")
        default: (.inputOutput, "The file system reported an error, and nothing was exported")
        }
      throw MagicError(code, "\(message): \(error)", cause: error)
    }
  }
}
