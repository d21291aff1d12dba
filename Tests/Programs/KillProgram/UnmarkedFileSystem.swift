import MagicFiles

/// A flaw: a file system without the markers of batches in use and the locks of copies, so that no
/// sweep finds their remaining files.
struct UnmarkedFileSystem: FileSystem {
  let base: any FileSystem

  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    path.hasSuffix(".open") || path.hasSuffix("-lock")
      ? NoLock() : try base.lock(path, isShared: isShared)
  }

  func remove(_ path: String) throws(FileError) {
    if !path.hasSuffix(".open") && !path.hasSuffix("-lock") { try base.remove(path) }
  }

  func makeDirectory(_ path: String) throws(FileError) -> Bool { try base.makeDirectory(path) }
  func create(_ path: String) throws(FileError) -> any WritableFile { try base.create(path) }
  func open(_ path: String) throws(FileError) -> any ReadableFile { try base.open(path) }
  func sync(_ path: String) throws(FileError) { try base.sync(path) }
  func syncDirectory(_ path: String) throws(FileError) { try base.syncDirectory(path) }
  func removeDirectory(_ path: String) throws(FileError) { try base.removeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [FileEntry] { try base.list(path) }

  func rename(_ path: String, to other: String) throws(FileError) {
    try base.rename(path, to: other)
  }
}

private final class NoLock: FileLock {
  let isNew = true

  func release() {}
}
