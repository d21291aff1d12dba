import DatabaseTransfer
import Foundation
import MagicFiles
import MagicSchema

/// The content of a folder with an exported database.
struct ExportFolder {
  let files: any FileSystem
  /// The path of the folder in `files`, with "/" at its end; empty for the folder itself.
  let path: String

  /// The largest description, in bytes.
  private static let largestManifest = 64 << 20

  /// - Throws: `MagicError` with `.notADatabase`, `.newerFormat`, `.cannotOpen`, `.inputOutput`.
  func manifest() throws -> FolderManifest {
    let file = try reading(FolderManifest.file) { try files.open(path + FolderManifest.file) }
    defer { file.close() }
    guard file.size <= Self.largestManifest else {
      throw MagicError(.notADatabase, "The file \(FolderManifest.file) is too large.")
    }
    var data = Data()
    try reading(FolderManifest.file) { try file.forEachPiece { data.append(contentsOf: $0) } }
    let manifest = try FolderManifest(data)
    try manifest.check()
    return manifest
  }

  /// Calls a body with each row of a file.
  ///
  /// - Throws: `MagicError` with `.cannotDecode` and the number of the line, `.corrupt` for another
  ///   number of lines, `.cannotOpen`, `.inputOutput`; `CancellationError`.
  func forEachRow(
    of rows: TransferredRows, in place: FolderManifest.Place,
    _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let (name, limit) = (place.file, LineFile.limit(described: place.largestLine))
    let reader = JSONLineReader(rows)
    let file = try reading(name) { try files.open(path + name) }
    defer { file.close() }
    var count = 0
    do {
      try reading(name) {
        try LineFile(file, limit: limit).forEach { number, line in
          do {
            let values = try reader.row(line)
            count += 1
            try body(values)
          } catch let error as MagicError {
            throw MagicError(
              error.code,
              "Line \(number) of the file \(name) cannot be imported: \(error.message)",
              type: error.type ?? rows.description, property: error.property, cause: error)
          } catch let fault as JSONLineReader.Fault {
            throw MagicError(
              .cannotDecode, "Line \(number) of the file \(name) cannot be read: \(fault.reason).",
              type: rows.description, property: fault.column.map { rows.names[$0] })
          }
        }
      }
    } catch LineFile.Fault.lineTooLong(let number) {
      throw MagicError(
        .cannotDecode,
        "Line \(number) of the file \(name) is larger than \(limit) bytes. To read a larger line, set "
          + "\"largestLine\" of the file in \(FolderManifest.file) to its size, up to "
          + "\(LineFile.largestDescribedLine) bytes.",
        type: rows.description)
    }
    guard let expected = place.count, expected != count else { return }
    throw MagicError(
      .corrupt,
      "The file \(name) has \(count) rows, and the description of the export has \(expected).",
      type: rows.description)
  }

  /// The assets, in the order of their names.
  func assets() throws -> [AssetName] {
    let root = path + FolderManifest.assets
    let batches: [FileEntry]
    do {
      batches = try files.list(root)
    } catch  where error.code == .notFound {
      return []
    } catch {
      throw failure(error, FolderManifest.assets)
    }
    var names: [AssetName] = []
    for batch in batches where batch.kind == .directory {
      for file in try reading(batch.name, { try files.list("\(root)/\(batch.name)") }) {
        if let name = AssetName("\(batch.name)/\(file.name)") { names.append(name) }
      }
    }
    return names.sorted { $0.text < $1.text }
  }

  func open(_ asset: AssetName) throws -> any ReadableFile {
    do {
      let file = try files.open("\(path)\(FolderManifest.assets)/\(asset.text)")
      guard file.size == asset.size else {
        file.close()
        throw MagicError(.assetMissing, "The file of an asset is incomplete: \(asset.text).")
      }
      return file
    } catch let error as FileError {
      throw MagicError(
        .assetMissing, "The file of an asset is missing: \(asset.text).", cause: error)
    }
  }

  /// Translates errors of reading files.
  private func reading<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw failure(error, name)
    }
  }

  private func failure(_ error: FileError, _ name: String) -> MagicError {
    switch error.code {
    case .notFound where name == FolderManifest.file:
      MagicError(
        .cannotOpen, "There is no exported database in the folder: the file \(name) is missing.",
        cause: error)
    case .notFound, .notAFile, .denied:
      MagicError(
        .cannotOpen, "The file \(name) of the export cannot be opened: \(error)", cause: error)
    default:
      MagicError(
        .inputOutput, "The file \(name) of the export cannot be read: \(error)", cause: error)
    }
  }
}
