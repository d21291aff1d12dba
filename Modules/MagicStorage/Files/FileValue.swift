package import Magical

/// A value that is stored in a file. Its column contains the name of the file, or "" if the value
/// has no content.
package protocol FileValue: Magical, Sendable where StoredValue == String {
  /// Creates a value from content; a value without content for nil.
  init(_ content: FileContent?)

  /// The content of the value; nil if it has none.
  var content: FileContent? { get }
}
