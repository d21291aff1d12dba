import Foundation
import MagicFiles
package import MagicRuntime
import MagicSchema

/// A directory that only its owner can access. It is deleted with its content when the last
/// reference is released.
///
/// The directory is locked as long as the object exists. The first directory that a process creates
/// also deletes the directories that killed processes have left.
package final class PrivateDirectory: Locked, @unchecked Sendable {
  package let path: String
  private let origin = ProcessOrigin()
  /// The open and locked directory; -1 until it is created.
  private var descriptor: Int32 = -1

  /// - Parameter isMade: whether the directory is created immediately; else the caller creates it
  ///   later with ``make()``.
  package init(isMade: Bool = true) throws {
    let parent = FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent(Self.prefix + UUID().uuidString + Self.suffix).path
    super.init()
    _ = Self.sweep
    guard isMade else { return }
    do {
      try MissingDirectories(at: parent.path).make(.none)
      try make()
    } catch {
      throw MagicError(.cannotOpen, "The temporary directory cannot be created.", cause: error)
    }
  }

  deinit {
    // In a forked child process, the directory still belongs to the parent.
    guard !origin.isForked else { return }
    try? FileManager.default.removeItem(atPath: path)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Creates the directory and locks it.
  func make() throws(FileError) {
    lock()
    defer { unlock() }
    guard descriptor < 0 else { return }
    // Another process may delete the directory as a leftover before it is locked.
    while true {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure() }
      let directory = Self.opened(path)
      guard directory >= 0 else {
        guard errno == ENOENT else { throw Self.failure() }
        continue
      }
      // Without file locks, no directory is deleted.
      let isLocked = flock(directory, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK
      guard isLocked, Self.isLinked(directory) else {
        close(directory)
        continue
      }
      descriptor = directory
      return
    }
  }

  private static func failure() -> FileError { FileError(.makeDirectory, "", number: errno) }

  private static let prefix = "MagicData-"
  private static let suffix = ".private"
  private static let sweep: Void = removeLeftovers(in: FileManager.default.temporaryDirectory.path)

  /// Deletes the directories that no process has locked.
  package static func removeLeftovers(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where isPrivateDirectory(name) {
      let path = "\(parent)/\(name)"
      let descriptor = opened(path)
      guard descriptor >= 0 else { continue }
      if isOwn(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(descriptor)
    }
  }

  private static func isPrivateDirectory(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    return UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil
  }

  /// Whether the directory belongs to this user. Other users may create directories in the same
  /// parent.
  private static func isOwn(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private static func opened(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func isLinked(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }
}
