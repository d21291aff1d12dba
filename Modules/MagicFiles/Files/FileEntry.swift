/// What a directory holds under one name.
package struct FileEntry: Sendable, Equatable {
  /// The kinds that are told apart.
  package enum Kind: Sendable {
    case file, directory
    /// A symbolic link, a socket, a device and the like.
    case other
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
