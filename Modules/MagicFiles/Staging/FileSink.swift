package import Foundation

/// A new file to which bytes are appended. The file is removed if the sink is deinitialised before
/// it is finished.
///
/// Not thread-safe.
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

  /// Appends bytes. After an error, all further calls throw.
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

  /// Appends bytes. After an error, all further calls throw.
  package func write(_ data: Data) throws {
    try data.withUnsafeBytes { try write($0) }
  }

  /// Closes the file and returns it as a staged file, which is not synced and does not have its
  /// final name yet.
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
