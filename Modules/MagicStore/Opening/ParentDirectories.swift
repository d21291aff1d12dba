import Foundation
import MagicFiles

/// The directories that a file is to lie in.
///
/// Those that are not there are made for their owner alone, and their names are brought to the disk: a
/// database in a directory that a loss of power takes away is lost too.
struct ParentDirectories {
  /// The last one that is there.
  private var known: URL
  /// Those below it that are to be made.
  private var missing: [String] = []

  init(of path: String) {
    known = URL(fileURLWithPath: path).deletingLastPathComponent()
    while known.path != "/", !FileManager.default.fileExists(atPath: known.path) {
      missing.insert(known.lastPathComponent, at: 0)
      known.deleteLastPathComponent()
    }
  }

  func make(
    on makeFileSystem: (_ path: String, FileDurability) -> any FileSystem,
    _ durability: FileDurability
  ) throws(FileError) {
    guard !missing.isEmpty else { return }
    let files = makeFileSystem(known.path, durability)
    var path = ""
    for name in missing {
      let parent = path
      path += (path.isEmpty ? "" : "/") + name
      guard try files.makeDirectory(path) else { continue }
      do {
        try files.syncDirectory(parent)
      } catch {
        // A directory that cannot be read cannot be synced.
        guard error.code == .denied else { throw error }
      }
    }
  }
}
