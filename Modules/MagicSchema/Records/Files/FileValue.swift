package import Magical

/// A value that lies in a file; its column holds the file's name, "" where there is no content.
package protocol FileValue: Magical, Sendable where StoredValue == String {
  /// The value with some content; without it for nil.
  init(_ content: FileContent?)

  /// The value's content; nil where it has none.
  var content: FileContent? { get }
}
