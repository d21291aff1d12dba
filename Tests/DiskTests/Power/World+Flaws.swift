import DiskSimulation
import Foundation
import MagicData
import MagicFiles
import MagicSQLite
import MagicStore
import SQLiteEngine

extension World {
  /// Creates a world on a simulated disk, optionally with a flaw.
  convenience init(
    on disk: SimulatedDisk, in directory: String = "",
    durability: MagicOptions.Durability = .full, flaw: PowerRound.Flaw? = nil
  ) {
    var options = MagicOptions(durability: durability)
    // Free pages are returned after each commit.
    options.minimumFreeSpace = 0
    // Indexes of empty tables are created after the rows of each call with several objects.
    options.postponingMinimum = 2
    options.fileSystem = { path, durability in
      let files = disk.fileSystem(path, durability)
      return switch flaw {
      case .unsyncedFiles: UnsyncedFileSystem(files, syncsFiles: false)
      case .unsyncedDirectories: UnsyncedFileSystem(files, syncsDirectories: false)
      default: files
      }
    }
    let folder = disk.folder.appendingPathComponent(directory)
    self.init(path: folder.appendingPathComponent("test.sqlite3").path, options: options)
  }

  /// Disables the sync of commits.
  func disableSyncs() async throws {
    try await store?.shared.writer?.withConnection { writer in
      try writer.connection.execute("PRAGMA synchronous = OFF")
    }
  }
}

/// A file system that ignores syncs of files, of directories, or of both.
private struct UnsyncedFileSystem: FileSystem {
  private let base: any FileSystem
  private let syncsFiles: Bool
  private let syncsDirectories: Bool

  init(_ base: any FileSystem, syncsFiles: Bool = true, syncsDirectories: Bool = true) {
    self.base = base
    self.syncsFiles = syncsFiles
    self.syncsDirectories = syncsDirectories
  }

  func sync(_ path: String) throws(FileError) { if syncsFiles { try base.sync(path) } }
  func syncDirectory(_ path: String) throws(FileError) {
    if syncsDirectories { try base.syncDirectory(path) }
  }

  func makeDirectory(_ path: String) throws(FileError) -> Bool { try base.makeDirectory(path) }
  func create(_ path: String) throws(FileError) -> any WritableFile { try base.create(path) }
  func open(_ path: String) throws(FileError) -> any ReadableFile { try base.open(path) }
  func rename(_ path: String, to other: String) throws(FileError) {
    try base.rename(path, to: other)
  }
  func remove(_ path: String) throws(FileError) { try base.remove(path) }
  func removeDirectory(_ path: String) throws(FileError) { try base.removeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [FileEntry] { try base.list(path) }
  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    try base.lock(path, isShared: isShared)
  }
}
