import MagicFiles

/// A file of a new folder, which is written in pieces.
final class NewFile {
  /// What is written next.
  var bytes: [UInt8] = []
  private let folder: NewFolder
  private let path: String
  private let file: any WritableFile

  /// The number of bytes that are written at once.
  private static let pieceSize = 1 << 20

  init(folder: NewFolder, path: String, file: any WritableFile) {
    (self.folder, self.path, self.file) = (folder, path, file)
  }

  /// Writes the bytes if there are many of them.
  func didAppend() throws { if bytes.count >= Self.pieceSize { try flush() } }

  private func flush() throws {
    guard !bytes.isEmpty else { return }
    try folder.writing { try bytes.withUnsafeBytes { try file.write($0) } }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes everything to the disk.
  func finish() throws {
    try flush()
    try folder.writing {
      try file.close()
      try folder.files.sync(path)
    }
  }

  /// Closes the file after an error.
  func close() { try? file.close() }
}
