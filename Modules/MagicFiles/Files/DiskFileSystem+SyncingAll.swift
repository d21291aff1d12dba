import CMagicRuntime
import Foundation

extension DiskFileSystem {
  /// From this many files on, their whole file system is synced where the system can: 1,000 small
  /// files took 1,070 ms one by one, and 7 so.
  private static let manyFiles = 64

  package func sync(all paths: [String]) throws(FileError) {
    try refuseForked(.sync, "")
    guard durability != .none else { return }
    if paths.count >= Self.manyFiles, let folder = watched() {
      if magic_sync_file_system(folder.number) == 0 { return }
      guard errno == ENOTSUP else { throw FileError(.sync, "", number: errno) }
    }
    for path in paths { try sync(path) }
  }
}
