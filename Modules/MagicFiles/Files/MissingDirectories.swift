import Foundation

/// The directories of a path, including the path itself, that do not exist.
///
/// They are created with access only for their owner, and their names are synced: a database in a
/// directory whose name was not synced would be lost in a power failure.
package struct MissingDirectories {
  /// The deepest directory that exists.
  private var known: URL
  /// The directories below it that must be created.
  private var names: [String] = []

  package init(at path: String) {
    known = URL(fileURLWithPath: path)
    while known.path != "/", !FileManager.default.fileExists(atPath: known.path) {
      names.insert(known.lastPathComponent, at: 0)
      known.deleteLastPathComponent()
    }
  }

  /// The paths of the directories, the deepest first.
  package var paths: [String] {
    names.indices.reversed().map { last in
      names[...last].reduce(known) { $0.appendingPathComponent($1) }.path
    }
  }

  /// Creates the directories.
  ///
  /// - Parameter makeFileSystem: returns the file system of the directory at a path.
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
      // Another process may have created it meanwhile.
      guard try files.makeDirectory(path) else { continue }
      do {
        try files.syncDirectory(parent)
      } catch {
        // A directory that cannot be opened for reading cannot be synced.
        guard error.code == .denied else { throw error }
      }
    }
  }
}
