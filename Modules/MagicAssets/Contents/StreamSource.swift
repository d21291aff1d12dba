import MagicFiles
import MagicSchema
import MagicStore

/// Content that was streamed to a staged file in the folder of a database.
final class StreamSource: FileSource {
  private let file: StagedFile
  private let folder: AssetFolder
  let isLasting = false
  /// True, because the stream cannot be read again.
  let outlivesRollback = true

  init(_ file: StagedFile, in folder: AssetFolder) {
    self.file = file
    self.folder = folder
  }

  var pathExtension: String? { file.name.pathExtension }

  func stage(in folder: AssetFolder) throws -> StagedFile {
    if folder === self.folder { return file }
    let source = try open()
    defer { source.close() }
    return try folder.stage(pathExtension: pathExtension) { try source.copy(to: $0) }
  }

  func open() throws -> any ReadableFile { try file.open() }
}
