import MagicFiles

/// The file system of the disk, with a step before and after each operation.
struct SteppedFileSystem: FileSystem {
  let base: any FileSystem
  let killSwitch: KillSwitch

  func makeDirectory(_ path: String) throws(FileError) -> Bool {
    try step(.makeDirectory) { () throws(FileError) in try base.makeDirectory(path) }
  }

  func create(_ path: String) throws(FileError) -> any WritableFile {
    let file = try step(.create) { () throws(FileError) in try base.create(path) }
    return SteppedFile(base: file, files: self)
  }

  func open(_ path: String) throws(FileError) -> any ReadableFile {
    try step(.open) { () throws(FileError) in try base.open(path) }
  }

  func sync(_ path: String) throws(FileError) {
    try step(.sync) { () throws(FileError) in try base.sync(path) }
  }

  func rename(_ path: String, to other: String) throws(FileError) {
    try step(.rename) { () throws(FileError) in try base.rename(path, to: other) }
  }

  func syncDirectory(_ path: String) throws(FileError) {
    try step(.syncDirectory) { () throws(FileError) in try base.syncDirectory(path) }
  }

  func remove(_ path: String) throws(FileError) {
    try step(.remove) { () throws(FileError) in try base.remove(path) }
  }

  func removeDirectory(_ path: String) throws(FileError) {
    try step(.removeDirectory) { () throws(FileError) in try base.removeDirectory(path) }
  }

  func list(_ path: String) throws(FileError) -> [FileEntry] {
    try step(.list) { () throws(FileError) in try base.list(path) }
  }

  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    try step(.lock) { () throws(FileError) in try base.lock(path, isShared: isShared) }
  }

  fileprivate func step<Result>(
    _ operation: FileError.Operation, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    killSwitch.pass(.before(operation))
    let result = try body()
    killSwitch.pass(.after(operation))
    return result
  }
}

/// A file that is written in two parts, so that the program can kill itself in between.
private final class SteppedFile: WritableFile {
  private let base: any WritableFile
  private let files: SteppedFileSystem

  init(base: any WritableFile, files: SteppedFileSystem) {
    self.base = base
    self.files = files
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    let half = bytes.count / 2
    for piece in [bytes[..<half], bytes[half...]] {
      try files.step(.write) { () throws(FileError) in
        try base.write(UnsafeRawBufferPointer(rebasing: piece))
      }
    }
  }

  func close() throws(FileError) {
    try files.step(.close) { () throws(FileError) in try base.close() }
  }
}
