import Foundation
import MagicFiles
import MagicRuntime

/// A flaw: a file system that keeps new files in memory until `flush()`, which is called too late.
final class DelayedFileSystem: Locked, FileSystem, @unchecked Sendable {
  private let base: any FileSystem
  private var files: [String: DelayedFile] = [:]
  private var renamed: [(file: DelayedFile, path: String, name: String)] = []

  init(_ base: any FileSystem) {
    self.base = base
    super.init()
  }

  /// Writes the files that should have been written before.
  func flush() {
    let late = withLock {
      defer { renamed = [] }
      return renamed
    }
    for (file, path, name) in late {
      guard let written = try? base.create(path) else { continue }
      try? file.data.withUnsafeBytes { try written.write($0) }
      try? written.close()
      try? base.rename(path, to: name)
    }
  }

  func create(_ path: String) throws(FileError) -> any WritableFile {
    let file = DelayedFile()
    withLock { files[path] = file }
    return file
  }

  func sync(_ path: String) throws(FileError) {
    guard withLock({ files[path] }) == nil else { return }
    try base.sync(path)
  }

  func rename(_ path: String, to other: String) throws(FileError) {
    guard let file = withLock({ files.removeValue(forKey: path) }) else {
      return try base.rename(path, to: other)
    }
    withLock { renamed.append((file, path, other)) }
  }

  func remove(_ path: String) throws(FileError) {
    guard withLock({ files.removeValue(forKey: path) }) == nil else { return }
    try base.remove(path)
  }

  func makeDirectory(_ path: String) throws(FileError) -> Bool { try base.makeDirectory(path) }
  func open(_ path: String) throws(FileError) -> any ReadableFile { try base.open(path) }
  func syncDirectory(_ path: String) throws(FileError) { try base.syncDirectory(path) }
  func removeDirectory(_ path: String) throws(FileError) { try base.removeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [FileEntry] { try base.list(path) }

  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    try base.lock(path, isShared: isShared)
  }
}

private final class DelayedFile: WritableFile {
  var data = Data()

  func write(_ bytes: UnsafeRawBufferPointer) { data.append(contentsOf: bytes) }
  func close() {}
}
