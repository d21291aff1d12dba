package import DatabaseTransfer
import Foundation
package import MagicFiles
import MagicSchema

/// A folder with an exported database, which is read.
package final class FolderSource: TransferSource {
  private let folder: ExportFolder
  private let manifest: FolderManifest
  private let described: [TransferredTable]

  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.newerFormat`, `.inputOutput`.
  package init(path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MagicError(
        .cannotOpen, "The path of the export is empty, or contains a null character.")
    }
    folder = ExportFolder(files: DiskFileSystem(root: path, durability: .none), path: "")
    manifest = try folder.manifest()
    described = try manifest.tables.map { try $0.transferred() }
  }

  package func tables() throws -> [TransferredTable] { described }

  package func count(_ rows: TransferredRows) throws -> Int {
    try manifest.place(of: rows).count ?? 0
  }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    try folder.forEachRow(of: rows, in: try manifest.place(of: rows), body)
  }

  package func assets() throws -> [AssetName] {
    let assets = try folder.assets()
    guard let expected = manifest.assets else { return assets }
    let found = FolderManifest.Assets(
      count: assets.count, bytes: assets.reduce(0) { $0 &+ $1.size })
    guard found == expected else {
      throw MagicError(
        .assetMissing,
        "The folder has \(found.count) assets with \(found.bytes) bytes, and the description of the "
          + "export has \(expected.count) with \(expected.bytes).")
    }
    return assets
  }

  package func open(_ asset: AssetName) throws -> any ReadableFile { try folder.open(asset) }

  package func close() {}
}
