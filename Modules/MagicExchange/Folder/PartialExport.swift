import Foundation
import MagicRuntime

/// The lock of a folder of an export that is not complete. It ends with the process, so that later
/// exports recognize the folder of a killed one.
final class PartialExport {
  static let prefix = "magic-export-"

  /// The age of a folder, in seconds, from which on it is removed if it has no lock: an export creates
  /// its folder before it locks it.
  private static let youngest = 60.0

  private let descriptor: Int32

  /// Locks a folder; nil if another export has locked it, or if the file system has no locks.
  init?(locking path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = Foundation.close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { _ = Foundation.close(descriptor) }

  /// Removes the folders that killed exports have left in a directory.
  static func removeRemains(in directory: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in names where isName(name) {
      let path = directory + "/" + name
      // Only a directory can be locked, and no symbolic link.
      guard let status = FileStatus(path: path),
        Date().timeIntervalSince1970 - status.modificationTime > youngest,
        let lock = PartialExport(locking: path)
      else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  /// Whether a name is one that an export gives its folder.
  private static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }
}
