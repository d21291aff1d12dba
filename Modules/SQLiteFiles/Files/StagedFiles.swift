package import MagicFiles
package import MagicSchema

/// The files that a transaction has written, by their contents.
package struct StagedFiles {
  private var staged: [(content: FileContent, file: StagedFile)] = []
  private var places: [ObjectIdentifier: Int] = [:]

  package init() {}

  package var count: Int { staged.count }
  package var files: [StagedFile] { staged.map(\.file) }

  package func file(of content: FileContent) -> StagedFile? {
    places[ObjectIdentifier(content)].map { staged[$0].file }
  }

  package mutating func append(_ file: StagedFile, of content: FileContent) {
    places[ObjectIdentifier(content)] = staged.count
    staged.append((content, file))
  }

  /// Removes and returns all files except the first `count`.
  package mutating func take(after count: Int = 0) -> [(content: FileContent, file: StagedFile)] {
    let taken = Array(staged[count...])
    for (content, _) in taken { places[ObjectIdentifier(content)] = nil }
    staged.removeSubrange(count...)
    return taken
  }
}
