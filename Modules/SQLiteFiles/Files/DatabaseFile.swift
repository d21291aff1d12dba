import CMagicRuntime
import Foundation
package import MagicFiles
package import MagicRuntime
package import MagicSQLite
package import MagicSchema

/// The file of a database before it is opened: its path, whether it is new, and whether it may be.
package struct DatabaseFile {
  package let path: String

  /// - Throws: `MagicError` with `.cannotOpen` for a path that cannot be one.
  package init(path: String) throws {
    guard !path.isEmpty else { throw MagicError(.cannotOpen, "The path is empty.") }
    guard !path.utf8.contains(0) else {
      throw MagicError(.cannotOpen, "The path holds a NUL character.")
    }
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    // Links are followed once, so that the files beside the database lie beside the real one.
    let url = URL(fileURLWithPath: path)
    let file =
      exists && isDirectory.boolValue ? url.appendingPathComponent("default.sqlite3") : url
    self.path = file.resolvingSymlinksInPath().path
  }

  /// Whether there is no content, or no file.
  package var isEmpty: Bool { size(of: path) == 0 }

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Makes the file for its owner alone, with the directories above it, where it does not exist.
  ///
  /// - Returns: whether it was made.
  package func create(
    _ durability: FileDurability, on makeFileSystem: (String, FileDurability) -> any FileSystem
  ) throws -> Bool {
    guard !exists else { return false }
    do {
      try MissingDirectories(at: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        .make(durability, on: makeFileSystem)
    } catch {
      throw MagicError(
        .cannotOpen, "The directory of the database cannot be made.", cause: error)
    }
    try refuseLost()
    // Whoever else makes it at this moment was first: a file that is there is never replaced.
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw MagicError(
        .cannotOpen, "The database file cannot be made: \(String(cString: strerror(errno))).")
    }
    close(descriptor)
    return true
  }

  /// An empty file is a new database, unless what lies beside it held data once.
  package func refuseLost() throws {
    guard isEmpty else { return }
    for companion in ["-wal", StoreFiles.suffix] where companionHoldsData(path + companion) {
      throw MagicError(
        .lostDatabase,
        "The database file is empty or missing, yet \(companion) beside it holds data. "
          + "Restore the file, or remove what lies beside it to begin anew.")
    }
  }

  /// SQLite takes a file of one byte for an empty one, and would write over it.
  package func refuseSingleByte() throws {
    // It is not opened for that: closing it would end the locks of other connections to it.
    guard size(of: path) == 1 else { return }
    throw MagicError(.notADatabase, "The file is no database.")
  }

  /// The end of a file that was cut off inside its last page would be read as zeros, and written.
  package func refuseCutOff(_ connection: SQLiteConnection) throws {
    try connection.transaction(.deferred) {
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      let pageSize = try connection.integer("PRAGMA page_size") ?? 0
      // Pages may be in the log alone.
      guard size(of: path + "-wal") == 0, size(of: path) < pages * pageSize else { return }
      throw MagicError(.corrupt, "The database file was cut off.")
    }
  }

  private func size(of path: String) -> Int64 { FileStatus(path: path)?.size ?? 0 }

  /// A link stands for what it refers to.
  private func companionHoldsData(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return false
    }
    guard isDirectory.boolValue else { return size(of: path) > 0 }
    return !((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).isEmpty
  }

  /// SQLite finds the log by the name of the database. Under a second name of one file, a program would
  /// not find what was written under the first.
  package func refuseSecondName() throws {
    guard let links = FileStatus(path: path)?.links, links > 1 else { return }
    throw MagicError(
      .cannotOpen,
      "The database file has \(links) names (hard links), and each would have a write-ahead log of its "
        + "own. Remove the other names, or copy the file.")
  }

  /// The log and its index, which a program has left, must be writable as the database is.
  package func refuseUnwritableLog() throws {
    for suffix in ["-shm", "-wal"] where access(path + suffix, F_OK) == 0 {
      guard access(path + suffix, W_OK) != 0 else { continue }
      throw MagicError(
        .readOnly,
        "The file that ends with \(suffix) beside the database may not be written. Give it the rights "
          + "of the database"
          + (suffix == "-shm" ? ", or remove it while no program has the database open." : "."))
    }
  }

  /// Removes the log and its index, while no connection has the database open.
  package func removeLog() {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }

  /// Why a database cannot be opened whose directory may not be written; nil where that is no reason.
  package func explanation(of error: any Error) -> MagicError? {
    guard let error = error as? MagicError, error.code == .cannotOpen || error.code == .readOnly,
      size(of: path + "-wal") > 0,
      access(URL(fileURLWithPath: path).deletingLastPathComponent().path, W_OK) != 0
    else { return nil }
    return MagicError(
      error.code,
      "The program that wrote to the database has not closed it, and its write-ahead log cannot be read "
        + "in a directory that may not be written. Copy the database, with the file that ends with "
        + "-wal, to one that may, and open it there.", cause: error.cause)
  }

  package func identity() throws -> FileIdentity {
    guard let identity = FileIdentity(path: path) else {
      let number = errno
      throw MagicError(
        .cannotOpen,
        number == ENOENT
          ? "There is no database file."
          : "The database file cannot be found: \(String(cString: strerror(number))).")
    }
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard !isDirectory.boolValue else {
      throw MagicError(.cannotOpen, "The path of the database is a directory.")
    }
    return identity
  }

  /// Removes the file that was made for an opening that failed, unless somebody has written to it.
  package func removeIfEmpty() {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    if size == 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
