import Foundation
import MagicRuntime

/// The files in a folder on disk.
///
/// Each component of a path is opened relative to the directory before it, and symbolic links are
/// not followed. A link in the folder therefore cannot redirect access to files outside of it. The
/// path of the folder itself may contain links. The folder need not exist before the first
/// operation.
package final class DiskFileSystem: FileSystem, Sendable {
  private let root: String
  private let state: Mutex<State>
  private let origin = ProcessOrigin()

  private struct State: Sendable {
    var durability: FileDurability
    /// A descriptor of the folder, which was opened before the first file was created. A sync of
    /// this descriptor reports all writes that have failed since then.
    var root: Descriptor?
  }

  package init(root: String, durability: FileDurability) {
    self.root = root
    state = Mutex(State(durability: durability))
  }

  /// Throws in the child process of a fork, because the folder belongs to the parent process.
  func checkNotForked(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    guard !origin.isForked else { throw FileError(operation, path, code: .forked) }
  }

  var durability: FileDurability { state.withLock { $0.durability } }

  /// Uses durability `full` from now on.
  package func useFullDurability() { state.withLock { $0.durability = .full } }

  /// Returns a descriptor of the folder for syncing its file system.
  func rootDescriptor() -> Descriptor? {
    state.withLock { state in
      if state.root == nil {
        state.root = Descriptor.opened(root, in: nil, O_RDONLY | O_DIRECTORY)
      }
      return state.root
    }
  }

  package func makeDirectory(_ path: String) throws(FileError) -> Bool {
    try checkNotForked(.makeDirectory, path)
    let result: Int32
    if path.isEmpty {
      result = mkdir(root, 0o700)
    } else {
      let place = try ResolvedPath(path, .makeDirectory, self)
      result = mkdirat(place.directory.number, place.name, 0o700)
    }
    if result == 0 { return true }
    guard errno == EEXIST else { throw FileError(.makeDirectory, path, number: errno) }
    return false
  }

  package func create(_ path: String) throws(FileError) -> any WritableFile {
    try checkNotForked(.create, path)
    _ = rootDescriptor()
    let place = try ResolvedPath(path, .create, self)
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW
    guard
      let file = Descriptor.opened(place.name, in: place.directory, flags, mode: 0o600)
    else { throw FileError(.create, path, number: errno) }
    return NewDiskFile(file, path)
  }

  package func open(_ path: String) throws(FileError) -> any ReadableFile {
    let (file, size) = try regularFile(path, .open)
    return OpenDiskFile(file, path, size: size)
  }

  package func sync(_ path: String) throws(FileError) {
    try checkNotForked(.sync, path)
    guard durability != .none else { return }
    let (file, _) = try regularFile(path, .sync)
    guard file.sync(durability) == 0 else { throw FileError(.sync, path, number: errno) }
  }

  package func rename(_ path: String, to other: String) throws(FileError) {
    let old = try ResolvedPath(path, .rename, self)
    let new = try ResolvedPath(other, .rename, self)
    let result = renameat(old.directory.number, old.name, new.directory.number, new.name)
    guard result == 0 else { throw FileError(.rename, path, number: errno) }
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    try checkNotForked(.syncDirectory, path)
    guard durability != .none else { return }
    let directory = try directory(path, .syncDirectory)
    guard directory.sync(durability) == 0 else {
      throw FileError(.syncDirectory, path, number: errno)
    }
  }

  package func remove(_ path: String) throws(FileError) {
    let place = try ResolvedPath(path, .remove, self)
    var status = stat()
    guard fstatat(place.directory.number, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw FileError(.remove, path, number: errno)
    }
    guard status.isRegularFile else { throw FileError(.remove, path, code: .notAFile) }
    guard unlinkat(place.directory.number, place.name, 0) == 0 else {
      throw FileError(.remove, path, number: errno)
    }
  }

  package func removeDirectory(_ path: String) throws(FileError) {
    let place = try ResolvedPath(path, .removeDirectory, self)
    guard unlinkat(place.directory.number, place.name, AT_REMOVEDIR) == 0 else {
      throw FileError(.removeDirectory, path, number: errno)
    }
  }

  /// Opens a regular file for reading. Other files are refused: opening some of them, such as a
  /// pipe, would block or have side effects.
  private func regularFile(
    _ path: String, _ operation: FileError.Operation
  ) throws(FileError) -> (Descriptor, size: Int) {
    let place = try ResolvedPath(path, operation, self)
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = Descriptor.opened(place.name, in: place.directory, flags),
      let status = file.status
    else { throw FileError(operation, path, number: errno) }
    guard status.isRegularFile else { throw FileError(operation, path, code: .notAFile) }
    return (file, Int(status.st_size))
  }

  /// Opens a directory; "" is the folder itself. The parent of the folder, "..", may be opened only
  /// for syncing.
  func directory(
    _ path: String, _ operation: FileError.Operation
  ) throws(FileError) -> Descriptor {
    try checkNotForked(operation, path)
    guard var directory = Descriptor.opened(root, in: nil, O_RDONLY | O_DIRECTORY) else {
      throw FileError(operation, path, number: errno)
    }
    for name in path.split(separator: "/") {
      guard name != ".." || (path == ".." && operation == .syncDirectory) else {
        throw FileError(operation, path, number: EINVAL)
      }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      guard let next = Descriptor.opened(String(name), in: directory, flags) else {
        throw FileError(operation, path, number: errno)
      }
      directory = next
    }
    return directory
  }
}

/// An opened parent directory and the last component of a path.
struct ResolvedPath {
  let directory: Descriptor
  let name: String

  init(
    _ path: String, _ operation: FileError.Operation, _ files: DiskFileSystem
  ) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    directory = try files.directory(slash.map { String(path[..<$0]) } ?? "", operation)
  }
}
