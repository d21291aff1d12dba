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
    guard !path.utf8.contains(0) else {
      throw MagicError(.cannotOpen, "The path contains a null character.")
    }
    folder = ExportFolder(files: DiskFileSystem(root: path, durability: .none), path: "")
    manifest = try folder.manifest()
    described = try manifest.tables.map { try $0.transferred() }
  }

  package func tables() throws -> [TransferredTable] { described }

  package func count(_ rows: TransferredRows) throws -> Int { place(of: rows).count ?? 0 }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let (file, count) = place(of: rows)
    try folder.forEachRow(of: rows, in: file, count: count, body)
  }

  private func place(of rows: TransferredRows) -> (file: String, count: Int?) {
    guard let table = manifest.tables.first(where: { $0.name == rows.table.name }) else {
      return ("", nil)
    }
    switch rows.content {
    case .objects: return (table.file, table.rows)
    case .members(let collection):
      let found = table.collections.first { $0.property == collection.property }
      return (found?.file ?? "", found?.members)
    }
  }

  package func assets() throws -> [AssetName] {
    let assets = try folder.assets()
    let found = FolderManifest.Assets(
      count: assets.count, bytes: assets.reduce(0) { $0 &+ $1.size })
    guard found == manifest.assets else {
      throw MagicError(
        .assetMissing,
        "The folder has \(found.count) assets with \(found.bytes) bytes, and the description of the "
          + "export has \(manifest.assets.count) with \(manifest.assets.bytes).")
    }
    return assets
  }

  package func open(_ asset: AssetName) throws -> any ReadableFile { try folder.open(asset) }

  package func close() {}
}
