import MagicFiles

/// A file of which writes and the close can fail.
final class FaultyWriting: WritableFile {
  private let base: any WritableFile
  private let path: String
  private let files: FaultyFileSystem

  init(_ base: any WritableFile, _ path: String, _ files: FaultyFileSystem) {
    self.base = base
    self.path = path
    self.files = files
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    let half = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
    try files.step(.write, path, instead: { try? base.write(half) }) { () throws(FileError) in
      try base.write(bytes)
    }
  }

  func close() throws(FileError) {
    try files.step(.close, path, instead: { try? base.close() }) { () throws(FileError) in
      try base.close()
    }
  }
}

/// A file of which reads can fail.
final class FaultyReading: ReadableFile {
  private let base: any ReadableFile
  private let path: String
  private let files: FaultyFileSystem

  init(_ base: any ReadableFile, _ path: String, _ files: FaultyFileSystem) {
    self.base = base
    self.path = path
    self.files = files
  }

  var size: Int { base.size }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    try files.step(.read, path) { () throws(FileError) in
      try base.read(at: offset, into: buffer)
    }
  }

  func close() { base.close() }
}
