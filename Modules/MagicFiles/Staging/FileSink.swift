package import Foundation

/// A new file that bytes are appended to. One that is let go of unfinished is removed.
///
/// Used by one thread at a time.
package final class FileSink: @unchecked Sendable {
  private let file: any WritableFile
  private let batch: Batch
  private let digits: String
  private let pathExtension: String?
  private let names: StagedNames
  private var size = 0
  private var state = State.open

  private enum State {
    case open, finished
    case failed(FileError)
  }

  init(
    _ file: any WritableFile, _ digits: String, _ pathExtension: String?, in batch: Batch,
    _ names: StagedNames
  ) {
    self.names = names
    self.file = file
    self.digits = digits
    self.pathExtension = pathExtension
    self.batch = batch
  }

  deinit {
    if case .finished = state { return }
    try? file.close()
    batch.discard(temporary)
  }

  private var temporary: String { FolderLayout.temporary(digits, in: batch.name) }

  /// Appends bytes. After an error the file can only be let go of.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    try checkOpen()
    do {
      try file.write(bytes)
    } catch {
      state = .failed(error)
      throw error
    }
    size += bytes.count
  }

  /// Appends bytes. After an error the file can only be let go of.
  package func write(_ data: Data) throws {
    try data.withUnsafeBytes { try write($0) }
  }

  /// Ends the file, which is neither synced nor under its name yet.
  package func finish() throws -> StagedFile {
    try checkOpen()
    do {
      try file.close()
    } catch {
      state = .failed(error)
      throw error
    }
    state = .finished
    let name = AssetName(
      batch: batch.name, digits: digits, size: size, pathExtension: pathExtension)
    return StagedFile(name, temporary: temporary, in: batch, names)
  }

  private func checkOpen() throws(FileError) {
    switch state {
    case .open:
      guard batch.isMarked else { throw FileError(.write, temporary, code: .suspended) }
    case .finished: throw FileError(.write, temporary, code: .notFound)
    case .failed(let error): throw error
    }
  }
}
