import Foundation
import MagicSQLite

/// Exchanges a database and its folder of assets for others in the same directory.
///
/// The names of the files are those of the database with a suffix: `.restored-…` while the new ones
/// are incomplete, and `.replaced-…` for the old ones. The old database is locked from the
/// beginning, so that no program opens it with the new folder. A process that is killed between the
/// renames leaves both databases, and no state that the library would open: see `moveAside`.
final class Replacement {
  /// The path at which the new database is prepared.
  let staged: String
  /// The path of the old database after the exchange, if it was kept.
  private(set) var kept: String?
  private let target: String
  private let old: String
  private let files = FileManager.default
  /// The connection that locks the old database; nil if there is none, or none that can be locked.
  private var lock: SQLiteConnection?

  /// Whether the old database is damaged. It is then kept: something may be read from it.
  private var isDamaged = false

  /// - Throws: ``CommandError`` with the status `busy` if a program has the database open, and
  ///   `noDatabase` if the file to replace is not a database of MagicData.
  init(target: String) throws {
    // The library opens the file of a symbolic link too.
    let target = URL(fileURLWithPath: target).resolvingSymlinksInPath().path
    self.target = target
    let number = UUID().uuidString.prefix(8).lowercased()
    staged = "\(target).restored-\(number)"
    old = "\(target).replaced-\(number)"
    isDamaged = try Self.isDamaged(target)
    lock = try locked()
  }

  /// Deletes the prepared files.
  func discard() {
    lock?.close()
    for suffix in ["", "-assets"] + Self.companions {
      try? files.removeItem(atPath: staged + suffix)
    }
  }

  /// Exchanges the files. After an error, the old ones have their names again.
  func exchange(keepsOld: Bool) throws {
    defer { lock?.close() }
    let keepsOld = keepsOld || isDamaged
    var moved: [String] = []
    do {
      // The log of a damaged database, which could not be locked. SQLite would apply it to the new
      // one.
      for suffix in Self.companions { try moveAway(suffix, &moved) }
      let hasFolder = keepsOld || exists(target + "-assets") || exists(staged + "-assets")
      if hasFolder { try makeFolder() }
      for suffix in ["", "-assets"] {
        Self.copyAccess(from: target + suffix, to: staged + suffix)
      }
      if hasFolder { try moveAside(&moved) }
      // Replaces the old database, if it still has its name, in one step.
      try renameFile(staged, target)
    } catch {
      if !moved.isEmpty, exists(target + "-assets"), exists(old + "-assets") {
        try? renameFile(target + "-assets", staged + "-assets")
      }
      for suffix in moved.reversed() { try? renameFile(old + suffix, target + suffix) }
      throw error
    }
    syncDirectory()
    for suffix in Self.companions { try? files.removeItem(atPath: staged + suffix) }
    if keepsOld, exists(old) {
      kept = old
    } else {
      for suffix in ["", "-assets"] + Self.companions {
        try? files.removeItem(atPath: old + suffix)
      }
    }
  }

  private static let companions = ["-wal", "-shm", "-commits"]

  /// Gives the old database and its folder other names.
  ///
  /// While the database is missing, its directory has a log or a folder with content. The library
  /// then refuses to create a new database, also after this process was killed.
  private func moveAside(_ moved: inout [String]) throws {
    let guardFile = target + "-wal"
    try Data("A database is being restored.".utf8).write(to: URL(fileURLWithPath: guardFile))
    do {
      try moveAway("", &moved)
      try moveAway("-assets", &moved)
    } catch {
      try? files.removeItem(atPath: guardFile)
      throw error
    }
    try renameFile(staged + "-assets", target + "-assets")
    try files.removeItem(atPath: guardFile)
  }

  /// Gives a new database without assets a folder, with a file that the library deletes.
  private func makeFolder() throws {
    guard !exists(staged + "-assets") else { return }
    try files.createDirectory(
      atPath: staged + "-assets", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let number = UUID().uuidString.replacing("-", with: "").prefix(16).lowercased()
    try Data().write(to: URL(fileURLWithPath: "\(staged)-assets/\(number).open"))
  }

  private func moveAway(_ suffix: String, _ moved: inout [String]) throws {
    guard exists(target + suffix) else { return }
    try renameFile(target + suffix, old + suffix)
    moved.append(suffix)
  }

  private func exists(_ path: String) -> Bool { files.fileExists(atPath: path) }

  /// Makes the new names survive a power failure.
  private func syncDirectory() {
    let directory = URL(fileURLWithPath: target).deletingLastPathComponent()
    let descriptor = open(directory.path, O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func renameFile(_ from: String, _ to: String) throws {
    guard rename(from, to) == 0 else {
      let reason = String(cString: strerror(errno))
      throw CommandError(
        ExitStatus.failure, "A file cannot be renamed: \(reason). The database was not changed.")
    }
  }

  /// Locks the old database against all other programs, until the connection is closed. A database
  /// that is damaged cannot be locked.
  private func locked() throws -> SQLiteConnection? {
    guard exists(target), (try? files.attributesOfItem(atPath: target)[.size] as? Int) != 0
    else { return nil }
    do {
      let connection = try SQLiteConnection(
        path: target,
        configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: 1))
      // Without a log there is one lock, which excludes all others. Ending the log fails while
      // another program has the database open.
      guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else { throw Self.busy }
      try connection.execute("BEGIN EXCLUSIVE")
      guard try connection.text("PRAGMA journal_mode") == "delete" else { throw Self.busy }
      return connection
    } catch let error as SQLiteError {
      switch error.code {
      case .notADatabase, .corrupt:
        isDamaged = true
        return nil
      case .busy, .locked: throw Self.busy
      default:
        throw CommandError(
          ExitStatus.noDatabase, "The database to replace cannot be opened: \(error.message).")
      }
    }
  }

  private static let busy = CommandError(
    ExitStatus.busy, "A program has the database open. End it first; nothing was changed.")
}
