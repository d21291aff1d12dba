import Foundation
import MagicFiles

/// Deletes what killed processes have left of backups to one path.
///
/// The process that writes a backup holds its lock. A lock that can be acquired belongs to no
/// running process, and neither do the files with the same number. Files without a lock file are
/// never deleted.
struct BackupLeftovers {
  let directory: any FileSystem
  /// The path of the directory.
  let path: String
  /// The file name that the backups were to get.
  let name: String

  /// Deletes the files. Files that cannot be deleted are kept for the next backup.
  func remove() {
    guard let entries = try? directory.list("") else { return }
    for entry in entries where entry.kind == .file {
      guard let names = BackupNames(name, lock: entry.name),
        let lock = try? directory.lock(entry.name, isShared: false)
      else { continue }
      defer { lock.release() }
      // The lock file is deleted last, because only a lock file makes the next backup search for
      // these files.
      guard removeFiles(names), removeFolders(names) else { continue }
      try? directory.remove(names.lock)
    }
  }

  private func removeFiles(_ names: BackupNames) -> Bool {
    for file in [names.partial] + BackupNames.companions.map({ names.partial + $0 }) {
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
    let marker = "\(path)/\(names.assets)/\(names.folderMarker)"
    guard fileExists(marker) else { return true }
    // The folder already had its final name. If the backup has its final name too, the folder is
    // complete.
    guard !fileExists("\(path)/\(name)") else { return unlink(marker) == 0 }
    // If this process is killed during the deletion, the folder has the name that belongs to the
    // lock file.
    do {
      try directory.rename(names.assets, to: names.partialAssets)
    } catch {
      return false
    }
    return removeFolder(names.partialAssets)
  }

  private func removeFolder(_ folder: String) -> Bool {
    let folder = "\(path)/\(folder)"
    return !fileExists(folder) || (try? FileManager.default.removeItem(atPath: folder)) != nil
  }

  private func fileExists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
