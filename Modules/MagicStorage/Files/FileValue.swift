package import Magical

/// A value that is stored in a file. Its column contains the name of the file, or "" if the value
/// has no content.
package protocol FileValue: Magical, Sendable where StoredValue == String {
  /// Creates a value from content; a value without content for nil.
  init(_ content: FileContent?)

  /// The content of the value; nil if it has none.
  var content: FileContent? { get }

  /// Whether the file contains a text in UTF-8. Default: false.
  static var isText: Bool { get }
}

extension FileValue {
  package static var isText: Bool { false }
}
