import Foundation
import MagicFiles
import MagicSchema
import MagicStore

/// The content of the user's file, which is copied when the asset is saved.
final class CopySource: FileSource {
  private let file: URL
  let pathExtension: String?
  /// False, because the user may change the file after it was copied.
  let isLasting = false
  let outlivesRollback = false

  init(of file: URL, pathExtension: String?) {
    self.file = file
    self.pathExtension = pathExtension ?? PathExtension.usable(of: file)
  }

  func stage(in folder: AssetFolder) throws -> StagedFile {
    try PathExtension.check(pathExtension)
    let source = try open()
    defer { source.close() }
    return try folder.stage(pathExtension: pathExtension) { try source.copy(to: $0) }
  }

  /// - Throws: `MagicError` with `.inputOutput` if the file cannot be read.
  func open() throws -> any ReadableFile {
    guard file.isFileURL else {
      throw MagicError(.inputOutput, "The URL of the file to copy is not a file URL.")
    }
    do {
      return try DiskFileSystem.open(anywhere: file.path)
    } catch {
      throw MagicError(.inputOutput, "The file to copy cannot be read: \(error)", cause: error)
    }
  }
}
