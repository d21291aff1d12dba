import Foundation
package import MagicFiles
import MagicSchema

extension AssetFolder {
  /// Locks the folder, so that no files are deleted while a snapshot is copied. Waits while files are
  /// being deleted.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait. It is at least one second.
  ///   - check: throws if the copy was cancelled.
  /// - Returns: nil if no process can delete files.
  /// - Throws: `MagicError` with `.busy`, and the errors of the check and of the files.
  package func lockForCopying(
    waiting seconds: Double, _ check: () throws -> Void
  ) throws -> FolderLock? {
    let deadline = Date(timeIntervalSinceNow: max(1, seconds))
    while true {
      try check()
      do {
        if let lock = try lockForCopying() { return lock }
      } catch let error as FileError where error.code == .denied || error.code == .readOnly {
        // A process without write permission in the folder cannot lock it. Other processes probably
        // do not have the permission either.
        return nil
      }
      guard Date() < deadline else {
        throw MagicError(.busy, "Asset files were being deleted for longer than the busy timeout.")
      }
      usleep(1_000)
    }
  }
}
