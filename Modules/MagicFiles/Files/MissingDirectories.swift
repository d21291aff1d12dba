import Foundation

/// The directories on the way to a path, and at it, that are not there.
///
/// They are made for their owner alone, and their names are brought to the disk: a database in a
/// directory that a loss of power takes away is lost too.
package struct MissingDirectories {
  /// The last one that is there.
  private var known: URL
  /// Those below it that are to be made.
  private var names: [String] = []

  package init(at path: String) {
    known = URL(fileURLWithPath: path)
    while known.path != "/", !FileManager.default.fileExists(atPath: known.path) {
      names.insert(known.lastPathComponent, at: 0)
      known.deleteLastPathComponent()
    }
  }

  /// - Parameter makeFileSystem: gives the file system of the directory with a path.
  package func make(
    _ durability: FileDurability,
    on makeFileSystem: (_ path: String, FileDurability) -> any FileSystem = {
      DiskFileSystem(root: $0, durability: $1)
    }
  ) throws(FileError) {
    guard !names.isEmpty else { return }
    let files = makeFileSystem(known.path, durability)
    var path = ""
    for name in names {
      let parent = path
      path += (path.isEmpty ? "" : "/") + name
      // Another may make it at this moment.
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
