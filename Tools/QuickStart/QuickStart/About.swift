import MagicData

/// The packages that a text is about, found in the search index of their names and descriptions.
struct About {
  /// A package, with the found words in its name and in a part of its description.
  struct Hit {
    let name: MagicHighlight
    let snippet: MagicHighlight
  }

  /// What a person types.
  let text: String
  let count: Int
  /// The best packages, five at most.
  let hits: [Hit]
  let seconds: Double

  init(_ text: String, in magic: MagicData) async throws {
    self.text = text
    let stopwatch = Stopwatch()
    let query = magic.query(DebianPackage.self).matching(text)
    count = try await query.count()
    hits = try await query.limit(5).hits().map { hit in
      Hit(name: hit.highlighted(\.$name), snippet: Self.snippet(hit))
    }
    seconds = stopwatch.seconds
  }

  /// A part of the first line, or of the complete description if only that has found words.
  private static func snippet(_ hit: MagicHit<DebianPackage>) -> MagicHighlight {
    let summary = hit.snippet(\.$summary, words: 10)
    guard summary.ranges.isEmpty, let details = hit.snippet(\.$details, words: 10) else {
      return summary
    }
    return details.ranges.isEmpty ? summary : details
  }
}
