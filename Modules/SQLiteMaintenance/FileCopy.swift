import Foundation
import MagicEngine
import MagicFiles
import MagicSchema
import SQLiteTables

/// Copies the files that the rows of a copied database refer to.
final class FileCopy {
  private let folder: AssetFolder
  private let target: BackupTarget
  private let names: ReferencedFiles
  private let allowsMissing: Bool
  private(set) var batches: Set<String> = []
  private var unsynced: [String] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

  init(
    from folder: AssetFolder, to target: BackupTarget, names: ReferencedFiles, allowsMissing: Bool
  ) {
    self.folder = folder
    self.target = target
    self.names = names
    self.allowsMissing = allowsMissing
  }

  deinit { buffer.deallocate() }

  /// - Parameter progress: called with the number of copied bytes, and with nil after each file.
  func run(_ progress: (Int?) throws -> Void) throws {
    try names.forEachFile { name in
      try progress(0)
      do {
        let source = try folder.open(name)
        defer { source.close() }
        try copy(source, name) { try progress($0) }
      } catch let error as FileError {
        try checkMayOmit(name, error)
        // A partial copy would look like the file.
        try? target.directory.remove(target.path(of: name))
      }
      try progress(nil)
    }
    try sync()
  }

  private func copy(
    _ source: any ReadableFile, _ name: AssetName, _ progress: (Int) throws -> Void
  ) throws {
    if batches.insert(name.batch).inserted { try target.makeBatch(name.batch) }
    let path = target.path(of: name)
    guard let file = try create(path) else { return }
    var size = 0
    try source.forEachPiece(in: buffer) { piece in
      try target.writing { try file.write(piece) }
      size += piece.count
      try progress(piece.count)
    }
    guard size == name.size else { throw FileError(.read, name.text, code: .wrongSize) }
    try target.writing { try file.close() }
    unsynced.append(path)
    if unsynced.count >= Self.maxUnsynced { try sync() }
  }

  /// Syncs the copied files to disk.
  private func sync() throws {
    try target.writing { try target.directory.sync(all: unsynced) }
    unsynced.removeAll(keepingCapacity: true)
  }

  /// Syncing many files together takes less time than syncing each separately.
  private static let maxUnsynced = 1_000

  /// - Returns: nil for a file that was copied before.
  private func create(_ path: String) throws -> (any WritableFile)? {
    do {
      return try target.directory.create(path)
    } catch {
      guard error.code != .exists else { return nil }
      return try target.writing { throw error }
    }
  }

  /// Throws if a missing file must not be left out: if that is not allowed and a row refers to it.
  private func checkMayOmit(_ name: AssetName, _ error: FileError) throws {
    let known = MagicError(error)
    // After other errors of the system, the file may be intact.
    guard [.notFound, .notAFile, .wrongSize].contains(error.code) else { throw known }
    guard !allowsMissing, let (column, row) = try names.row(naming: name) else { return }
    throw MagicError(
      known.code,
      "Row \(row) of table \(column.table) refers to a file that cannot be copied: \(error)",
      type: column.type, property: column.column, cause: error)
  }
}
