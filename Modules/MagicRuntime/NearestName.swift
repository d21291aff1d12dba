/// Finds the name that a misspelt name probably means.
package enum NearestName {
  /// Returns the end of an error about a name: a question for the nearest one, if there is one, or "".
  package static func hint(for name: String, in names: [String]) -> String {
    of(name, in: names).map { " (did you mean \($0)?)" } ?? ""
  }

  /// Returns the name with the fewest edits; nil if more than half of the characters differ.
  package static func of(_ name: String, in names: [String]) -> String? {
    let characters = Array(name.lowercased())
    guard characters.count <= 64 else { return nil }
    var best: (name: String, edits: Int)?
    for candidate in names where candidate.utf8.count <= 64 {
      let edits = edits(from: characters, to: Array(candidate.lowercased()))
      if edits * 2 <= max(characters.count, candidate.count), edits < best?.edits ?? .max {
        best = (candidate, edits)
      }
    }
    return best?.name
  }

  /// Returns the number of insertions, deletions and replacements.
  private static func edits(from left: [Character], to right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (right[column] == character ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
