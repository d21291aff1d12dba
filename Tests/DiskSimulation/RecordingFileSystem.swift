import MagicFiles

/// A file system for assets that records all changes on a simulated disk.
struct RecordingFileSystem: FileSystem {
  private let base: any FileSystem
  private let root: String
  private let disk: SimulatedDisk
  /// Whether syncs are recorded. False for stores that do not sync their files.
  private let isSynced: Bool

  init(_ base: any FileSystem, _ root: String, _ disk: SimulatedDisk, isSynced: Bool) {
    self.base = base
    self.root = root
    self.disk = disk
    self.isSynced = isSynced
  }

  private func full(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

  func makeDirectory(_ path: String) throws(FileError) -> Bool {
    let isMade = try base.makeDirectory(path)
    if isMade { disk.noteNewDirectory(at: full(path)) }
    return isMade
  }

  func create(_ path: String) throws(FileError) -> any WritableFile {
    let file = try base.create(path)
    disk.noteNewFile(at: full(path))
    return RecordingFile(file, full(path), disk)
  }

  func sync(_ path: String) throws(FileError) {
    try base.sync(path)
    if isSynced { disk.noteSync(of: full(path)) }
  }

  func syncDirectory(_ path: String) throws(FileError) {
    try base.syncDirectory(path)
    guard isSynced else { return }
    let parent = root.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    disk.noteSync(ofDirectory: path == ".." ? parent : full(path))
  }

  func open(_ path: String) throws(FileError) -> any ReadableFile { try base.open(path) }
  func rename(_ path: String, to other: String) throws(FileError) {
    try base.rename(path, to: other)
  }
  func remove(_ path: String) throws(FileError) { try base.remove(path) }
  func removeDirectory(_ path: String) throws(FileError) { try base.removeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [FileEntry] { try base.list(path) }

  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    let lock = try base.lock(path, isShared: isShared)
    if lock?.isNew == true { disk.noteNewFile(at: full(path)) }
    return lock
  }
}

private final class RecordingFile: WritableFile {
  private let base: any WritableFile
  private let path: String
  private let disk: SimulatedDisk
  private var offset = 0

  init(_ base: any WritableFile, _ path: String, _ disk: SimulatedDisk) {
    self.base = base
    self.path = path
    self.disk = disk
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try base.write(bytes)
    disk.note(.write(offset: offset, bytes: Array(bytes)), to: path)
    offset += bytes.count
  }

  func close() throws(FileError) { try base.close() }
}
