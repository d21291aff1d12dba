package import DatabaseTransfer
import Foundation
package import MagicFiles
import MagicSchema

/// A new folder to which a database is exported as lines of JSON.
package final class FolderTarget: TransferTarget {
  private let target: NewFolder
  private let folder: ExportFolder
  private var manifest = FolderManifest(tables: [], assets: nil)
  private var writer: FileWriter?

  /// The file of the current rows.
  private struct FileWriter {
    let file: NewFile
    let lines: JSONLineWriter
    var count = 0
    /// The size of the longest line.
    var largest = 0
  }

  /// - Parameter makeFileSystem: creates the access to the files in a folder.
  /// - Throws: `MagicError`: `.fileExists` if there is something at the path, `.cannotOpen`,
  ///   `.readOnly`, `.diskFull`.
  package init(
    path: String,
    on makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem = {
      DiskFileSystem(root: $0, durability: $1)
    }
  ) throws {
    target = try NewFolder(path: path, on: makeFileSystem)
    folder = ExportFolder(files: target.files, path: target.partialPath)
  }

  // MARK: Writing

  package func create(_ tables: [TransferredTable]) throws {
    var names = FileNames()
    manifest.tables = tables.map { FolderManifest.Table($0, &names) }
  }

  package func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    try target.store(asset, content)
  }

  package func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    var writer = try begin(rows)
    let start = writer.file.bytes.count
    writer.lines.write(values, to: &writer.file.bytes)
    writer.count += 1
    writer.largest = max(writer.largest, writer.file.bytes.count - start)
    self.writer = writer
    try writer.file.didAppend()
  }

  /// Creates the file of rows, unless it exists.
  private func begin(_ rows: TransferredRows) throws -> FileWriter {
    if let writer { return writer }
    let new = FileWriter(
      file: try target.create(try manifest.place(of: rows).file),
      lines: JSONLineWriter(names: rows.names))
    writer = new
    return new
  }

  package func finish(_ rows: TransferredRows) throws {
    let writer = try begin(rows)
    try writer.file.finish()
    self.writer = nil
    try manifest.setLines(of: rows, writer.count, largest: writer.largest)
  }

  package func complete(_ tables: [TransferredTable]) throws {
    manifest.assets = target.assets
    let file = try target.create(FolderManifest.file)
    file.bytes = Array(try manifest.data())
    try file.finish()
    // What was written can be imported.
    for table in try folder.manifest().tables { _ = try table.transferred() }
  }

  /// The folder describes everything that the source describes.
  package func isComplete(_ table: TransferredTable) -> Bool { true }

  package func commit() throws { try target.publish() }

  package func discard() {
    close()
    target.discard()
  }

  package func close() {
    writer?.file.close()
    writer = nil
    target.close()
  }

  // MARK: Reading

  package func tables() throws -> [TransferredTable] {
    try manifest.tables.map { try $0.transferred() }
  }

  package func count(_ rows: TransferredRows) throws -> Int { 0 }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let place = try manifest.place(of: rows)
    try folder.forEachRow(
      of: rows, in: .init(file: place.file, count: nil, largestLine: place.largestLine), body)
  }

  package func assets() throws -> [AssetName] { try folder.assets() }

  package func open(_ asset: AssetName) throws -> any ReadableFile { try folder.open(asset) }
}
