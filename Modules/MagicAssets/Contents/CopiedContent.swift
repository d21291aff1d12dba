import Foundation
import MagicFiles
import MagicSchema
import MagicStore

/// Content that is a file of the user's, to be copied.
final class CopiedContent: AssetContent, @unchecked Sendable {
  private let file: URL
  private let ownExtension: String?

  init(of file: URL, pathExtension: String?) {
    self.file = file
    ownExtension = pathExtension ?? Self.usableExtension(of: file)
    super.init(place: nil)
  }

  override var pathExtension: String? { ownExtension }

  override func stage(in folder: AssetFolder) throws -> StagedFile? {
    try checkExtension()
    // What was copied once is not looked for at the user's place again.
    guard places.isEmpty else { return nil }
    let source = try Self.openSource(file)
    defer { source.close() }
    return try folder.stage(pathExtension: ownExtension) { try source.copy(to: $0) }
  }

  override func open() throws -> any ReadableFile {
    try places.isEmpty ? Self.openSource(file) : openSaved()
  }

  /// The extension of a file's name, where the name of an asset's file may have it.
  static func usableExtension(of file: URL) -> String? {
    let text = file.pathExtension
    return AssetName.isExtension(text) ? text : nil
  }

  /// - Throws: `MagicError` with `.inputOutput` where the file cannot be read.
  static func openSource(_ file: URL) throws -> any ReadableFile {
    guard file.isFileURL else {
      throw MagicError(.inputOutput, "An asset is copied from a file's URL.")
    }
    do {
      return try DiskFile(readingAt: file.path)
    } catch let error as FileError {
      throw MagicError(.inputOutput, "The file to copy cannot be read: \(error).", cause: error)
    }
  }
}
