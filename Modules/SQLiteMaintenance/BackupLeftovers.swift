import Foundation
import MagicFiles

/// What is left of copies to one place by processes that were killed.
///
/// Who writes a copy has its lock. One that can be had is nobody's, and so is what lies there with it;
/// without a lock's file nothing is touched.
struct BackupLeftovers {
  let directory: any FileSystem
  /// The path of the directory.
  let path: String
  /// The name that the copies were to have.
  let name: String

  /// Removes them. What cannot be removed stays for the next time.
  func remove() {
    guard let entries = try? directory.list("") else { return }
    for entry in entries where entry.kind == .file {
      guard let names = BackupNames(name, lock: entry.name),
        let lock = try? directory.lock(entry.name, isShared: false)
      else { continue }
      defer { lock.release() }
      // The lock goes last: it alone tells that there is something to remove.
      guard removeFiles(names), removeFolders(names) else { continue }
      try? directory.remove(names.lock)
    }
  }

  private func removeFiles(_ names: BackupNames) -> Bool {
    for file in [names.partial, names.partial + "-journal"] {
      do {
        try directory.remove(file)
      } catch {
        guard error.code == .notFound else { return false }
      }
    }
    return true
  }

  private func removeFolders(_ names: BackupNames) -> Bool {
    guard removeFolder(names.partialAssets) else { return false }
    let mark = "\(path)/\(names.assets)/\(names.folderMark)"
    guard isThere(mark) else { return true }
    // The folder had its name already. Where the copy has it too, all of it is there.
    guard !isThere("\(path)/\(name)") else { return unlink(mark) == 0 }
    // Who is killed while it is removed leaves it under the name that tells whose it is.
    do {
      try directory.rename(names.assets, to: names.partialAssets)
    } catch {
      return false
    }
    return removeFolder(names.partialAssets)
  }

  private func removeFolder(_ folder: String) -> Bool {
    let folder = "\(path)/\(folder)"
    return !isThere(folder) || (try? FileManager.default.removeItem(atPath: folder)) != nil
  }

  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
