import CMagicRuntime
import Foundation
import MagicRuntime
package import MagicSQLite
package import MagicSchema
import SQLiteTables

/// A SQLite file of another library that is read, on one snapshot. The file and its log are not
/// changed.
package struct ForeignDatabase {
  package let path: String
  package let connection: SQLiteConnection
  /// The attributes of the file before it was opened without locks; nil if it is read with locks.
  private let unlocked: FileStatus?

  /// Opens a file, and begins a snapshot.
  ///
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.busy`.
  package init(path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MagicError(.cannotOpen, "The path of the file is empty, or contains a null character.")
    }
    guard Self.isRegularFile(path) else {
      throw MagicError(.cannotOpen, "There is no file at the path \(path).")
    }
    // Before the first read, so that each later change is seen.
    let status = FileStatus(path: path)
    let isComplete = status != nil && Self.isComplete(path)
    let connection = try translatingErrors {
      try SQLiteConnection(
        path: path,
        configuration: SQLiteConfiguration(
          access: isComplete ? .immutable : .readOnly, cacheSize: 8_192))
    }
    do {
      try translatingErrors { try connection.begin(.deferred) }
    } catch {
      connection.close()
      throw error
    }
    (self.path, self.connection, unlocked) = (path, connection, isComplete ? status : nil)
  }

  /// Throws if a program has the file open or has changed it, since it was opened here without locks.
  ///
  /// While a program has the file open, a log exists. When the program closes the file, it writes its
  /// commits to the file, and deletes the log. What was read until then may be of two states.
  package func checkNotInUse() throws {
    guard let unlocked else { return }
    if let status = FileStatus(path: path), FileStatus(path: path + "-wal") == nil,
      FileIdentity(status) == FileIdentity(unlocked),
      (status.size, status.modified) == (unlocked.size, unlocked.modified)
    {
      return
    }
    throw MagicError(.busy, "A program has opened the file during the import. Try again.")
  }

  /// The error for a database of this library, which needs no import.
  package static func ownDatabase() -> MagicError {
    MagicError(
      .notADatabase,
      "The file is a database of MagicData, and needs no import. `magic backup` copies it to a new file, "
        + "and `magic copy` to a server; a program uses MagicData.copy(from: .file(path), to: …).")
  }

  package func close() {
    connection.rollBack()
    connection.close()
  }

  /// Whether the file has all data, and no process has it open: in the mode of write-ahead logging,
  /// a log exists while a process has the file open. Such a file is read without locks, so that no
  /// other file appears next to it.
  private static func isComplete(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 20), header.count == 20, header[18] == 2 else {
      return false
    }
    return !FileManager.default.fileExists(atPath: path + "-wal")
  }

  /// Whether a path, after its symbolic links, names a file with content. Opening a pipe would wait for
  /// a program that writes to it.
  package static func isRegularFile(_ path: String) -> Bool {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
