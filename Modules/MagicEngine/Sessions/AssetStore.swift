package import Foundation
package import MagicFiles

/// Where an engine stores the content of assets.
package protocol AssetStore: AnyObject, Sendable {
  /// The folder to which new content is written before the transaction that saves it.
  var staging: AssetFolder { get }

  /// Opens content for reading. It may be staged.
  ///
  /// - Throws: `FileError`: `.notFound`; `.wrongSize` if the size of the content differs from the size
  ///   in its name.
  func open(_ name: AssetName) throws -> any ReadableFile

  /// Returns the URL of the file with some content; nil for an engine that stores no files.
  func location(of name: AssetName) -> URL?
}

/// The folder next to a database, which also contains the staged files.
extension AssetFolder: AssetStore {
  package var staging: AssetFolder { self }

  package func location(of name: AssetName) -> URL? { url(of: name) }
}
