/// One entry of a directory.
package struct FileEntry: Sendable, Equatable {
  /// The type of an entry.
  package enum Kind: Sendable {
    case file, directory
    /// A symbolic link, a socket, a device or another special file.
    case other
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
