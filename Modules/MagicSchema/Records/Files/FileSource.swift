package import MagicFiles

/// Where the content of a file comes from.
package protocol FileSource: AnyObject, Sendable {
  /// The extension of its file's name; nil for none.
  var pathExtension: String? { get }

  /// Whether it is the same for as long as it lives, so that it need not be read from a file again.
  var isLasting: Bool { get }

  /// Whether the file that ``stage(in:)`` gives is kept when the transaction is rolled back.
  var outlivesRollback: Bool { get }

  /// Writes the content to a new file of a folder.
  func stage(in folder: AssetFolder) throws -> StagedFile

  /// Opens the content for reading.
  func open() throws -> any ReadableFile
}
