/// A tree of folders. Each folder has four subfolders, except the last ones.
public struct PlainTree: Sendable {
  /// The number of subfolders of a folder.
  public static let branches = 4
  /// The names of the folders; the first one is the root.
  public var names: [String]

  /// The folders in a folder.
  @inlinable
  public func children(of folder: Int) -> Range<Int> {
    let first = min(folder * Self.branches + 1, names.count)
    return first..<min(first + Self.branches, names.count)
  }

  /// Creates a tree with a number of folders.
  public static func make(_ count: Int) -> PlainTree {
    PlainTree(names: (0..<count).map { "Folder number \(1_000_000_000_000_000 + $0)" })
  }
}
