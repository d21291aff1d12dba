import CMagicRuntime
import Foundation
package import MagicFiles
package import MagicRuntime
package import MagicSQLite
package import MagicSchema

/// The file of a database before it is opened: its path, and the checks that must pass before
/// SQLite opens it.
package struct DatabaseFile {
  package let path: String

  /// - Throws: `MagicError` with `.cannotOpen` if the string cannot be a path.
  package init(path: String) throws {
    guard !path.isEmpty else { throw MagicError(.cannotOpen, "The path of the database is empty.") }
    guard !path.utf8.contains(0) else {
      throw MagicError(.cannotOpen, "The path of the database contains a NUL character.")
    }
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    // Resolves symbolic links once, so that the companion files of the database are next to the
    // real file.
    let url = URL(fileURLWithPath: path)
    let file =
      exists && isDirectory.boolValue ? url.appendingPathComponent("default.sqlite3") : url
    self.path = file.resolvingSymlinksInPath().path
  }

  /// Whether the file is empty or does not exist.
  package var isEmpty: Bool { size(of: path) == 0 }

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Creates the file, readable only by its owner, and the directories above it, if it does not
  /// exist.
  ///
  /// - Returns: whether the file was created.
  package func create(
    _ durability: FileDurability, on makeFileSystem: (String, FileDurability) -> any FileSystem
  ) throws -> Bool {
    guard !exists else { return false }
    do {
      try MissingDirectories(at: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        .make(durability, on: makeFileSystem)
    } catch {
      throw MagicError(
        .cannotOpen, "The directory of the database cannot be created.", cause: error)
    }
    try checkNotLost()
    // Another process may create the file at this moment. An existing file is never replaced.
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw MagicError(
        .cannotOpen, "The database file cannot be created: \(String(cString: strerror(errno))).")
    }
    close(descriptor)
    return true
  }

  /// Throws if the file is empty although a companion file contains data. Otherwise an empty file
  /// is a new database.
  package func checkNotLost() throws {
    guard isEmpty else { return }
    for companion in ["-wal", StoreFiles.suffix] where companionHasData(path + companion) {
      throw MagicError(
        .lostDatabase,
        "The database file is empty or missing, but the file or folder with the suffix "
          + "\(companion) contains data. Restore the database file, or delete the other one to "
          + "create a new database.")
    }
  }

  /// Throws if the file has one byte: SQLite would treat it as empty and overwrite it.
  package func checkNotSingleByte() throws {
    // The file is not opened for this check, because closing it would release the locks of other
    // connections of this process.
    guard size(of: path) == 1 else { return }
    throw MagicError(.notADatabase, "Not a database: the file has only one byte.")
  }

  /// Throws if the file ends inside its last page: SQLite would read the missing part as zeros, and
  /// write them.
  package func checkNotTruncated(_ connection: SQLiteConnection) throws {
    try connection.transaction(.deferred) {
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      let pageSize = try connection.integer("PRAGMA page_size") ?? 0
      // If the log is not empty, pages may exist only there.
      guard size(of: path + "-wal") == 0, size(of: path) < pages * pageSize else { return }
      throw MagicError(.corrupt, "The database file is truncated. Restore it from a backup.")
    }
  }

  private func size(of path: String) -> Int64 { FileStatus(path: path)?.size ?? 0 }

  /// Whether a companion file has content, or a companion directory has entries. A symbolic link is
  /// followed.
  private func companionHasData(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return false
    }
    guard isDirectory.boolValue else { return size(of: path) > 0 }
    return !((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).isEmpty
  }

  /// Throws if the file has several hard links. SQLite derives the log's name from the database's
  /// name, so a program that uses another name would not find the commits in the log.
  package func checkNoHardLinks() throws {
    guard let links = FileStatus(path: path)?.links, links > 1 else { return }
    throw MagicError(
      .cannotOpen,
      "The database file has \(links) hard links, and each name would have its own write-ahead "
        + "log. Delete the other links, or copy the file.")
  }

  /// Throws if the database can be written but its log or log index, which another program has
  /// left, cannot.
  package func checkLogIsWritable() throws {
    for suffix in ["-shm", "-wal"] {
      // In one call: the last connection to the file may be deleting both.
      guard access(path + suffix, W_OK) != 0, errno != ENOENT else { continue }
      throw MagicError(
        .readOnly,
        "The file of the database with the suffix \(suffix) is not writable. Give it the "
          + "permissions of the database file"
          + (suffix == "-shm" ? ", or delete it while no program has the database open." : "."))
    }
  }

  /// Deletes the log and its index. No connection may have the database open.
  package func removeLog() {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }

  /// Returns the reason why a database in a read-only directory cannot be opened; nil if the error
  /// has another reason.
  package func explanation(of error: any Error) -> MagicError? {
    guard let error = error as? MagicError, error.code == .cannotOpen || error.code == .readOnly,
      size(of: path + "-wal") > 0,
      access(URL(fileURLWithPath: path).deletingLastPathComponent().path, W_OK) != 0
    else { return nil }
    return MagicError(
      error.code,
      "The program that wrote the database has not closed it, and its write-ahead log cannot be "
        + "read in a directory that is not writable. Copy the database file and its -wal file to "
        + "a writable directory, and open it there.", cause: error.cause)
  }

  package func identity() throws -> FileIdentity {
    guard let identity = FileIdentity(path: path) else {
      let number = errno
      throw MagicError(
        .cannotOpen,
        number == ENOENT
          ? "The database file does not exist."
          : "The database file cannot be found: \(String(cString: strerror(number))).")
    }
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard !isDirectory.boolValue else {
      throw MagicError(.cannotOpen, "The path of the database is a directory.")
    }
    return identity
  }

  /// Deletes the file that was created for an open that failed, unless another process has written
  /// to it.
  package func removeIfEmpty() {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    if size == 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
