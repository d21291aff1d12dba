import MagicFiles
import MagicSchema

/// Content that was streamed into the folder of a database, where it waits to be saved.
final class StreamedContent: AssetContent, @unchecked Sendable {
  private let file: StagedFile
  private let folder: AssetFolder

  init(_ file: StagedFile, in folder: AssetFolder) {
    self.file = file
    self.folder = folder
    super.init(place: nil)
  }

  override var pathExtension: String? { file.name.pathExtension }

  /// The stream cannot be read again, so the file outlives a transaction that is rolled back.
  override var outlivesRollback: Bool { true }

  override func stage(in folder: AssetFolder) throws -> StagedFile? {
    guard places.isEmpty else { return nil }
    if folder === self.folder { return file }
    let source = try file.open()
    defer { source.close() }
    return try folder.stage(pathExtension: pathExtension) { try source.copy(to: $0) }
  }

  override func open() throws -> any ReadableFile {
    guard places.isEmpty else { return try openSaved() }
    do {
      return try file.open()
    } catch let error as FileError {
      let known = MagicError(error)
      throw failure(known.code, known.message, error)
    }
  }
}
