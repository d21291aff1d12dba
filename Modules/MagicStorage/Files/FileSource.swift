package import MagicFiles

/// A source of file content.
package protocol FileSource: AnyObject, Sendable {
  /// The extension of the file name; nil for none.
  var pathExtension: String? { get }

  /// Whether the source always returns the same content, so that the content need not be read from
  /// a file later.
  var isLasting: Bool { get }

  /// Whether the file that ``stage(in:)`` returns is kept when the transaction is rolled back.
  var outlivesRollback: Bool { get }

  /// Writes the content to a new file of a folder.
  func stage(in folder: AssetFolder) throws -> StagedFile

  /// Opens the content for reading.
  func open() throws -> any ReadableFile
}
