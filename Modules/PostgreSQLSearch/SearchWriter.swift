import MagicSchema

/// Writes a search as SQL, which selects the row IDs of the found rows as `id`, and their scores as
/// `score`.
///
/// The score is BM25 as FTS5 computes it, with the opposite sign: the sum of the scores of the phrases
/// that are found in the row. So each node of the search is a subquery with the sum of its phrases.
struct SearchWriter {
  private let names: SearchNames
  /// The weights of the columns.
  private let weights: [Double]
  private let isScored: Bool
  private var aliases = 0

  /// The number of words of a phrase up to which each of them is joined. Longer phrases, for example of
  /// trigrams, are found by counting.
  private static let joinLimit = 6

  /// - Parameter isScored: whether the scores are computed; otherwise they are 0.
  static func sql(
    _ node: SearchNode, _ names: SearchNames, weights: [Double], isScored: Bool
  ) -> String {
    var writer = SearchWriter(names: names, weights: weights, isScored: isScored)
    let rows = writer.rows(node)
    guard isScored, node != .nothing else { return rows }
    return "WITH s AS MATERIALIZED (SELECT sum(\"rows\")::float8 AS n, "
      + "sum(\"words\")::float8 / nullif(sum(\"rows\"), 0) AS size FROM \(names.totals.quoted)) \(rows)"
  }

  private init(names: SearchNames, weights: [Double], isScored: Bool) {
    (self.names, self.weights, self.isScored) = (names, weights, isScored)
  }

  private mutating func alias() -> String {
    aliases += 1
    return "q\(aliases)"
  }

  // MARK: Nodes

  private mutating func rows(_ node: SearchNode) -> String {
    switch node {
    case .nothing: return "SELECT NULL::bigint AS id, NULL::float8 AS score WHERE false"
    case .phrases(let near):
      if let word = node.word { return rows(withWords: [word]) }
      return near.phrases.count == 1 ? one(near) : several(near)
    case .and(let nodes):
      guard !nodes.contains(.nothing) else { return rows(.nothing) }
      // Words are searched together, others each for itself.
      let words = nodes.compactMap(\.word)
      let isTogether = words.count > 1 && words.count <= Self.joinLimit
      var parts = isTogether ? [rows(withWords: words)] : []
      for node in nodes where !isTogether || node.word == nil { parts.append(rows(node)) }
      return parts.count == 1 ? parts[0] : "\(union(parts)) HAVING count(*) = \(parts.count)"
    case .or(let nodes): return union(nodes.map { rows($0) })
    case .not(let left, let right):
      let (first, second) = (alias(), alias())
      return "SELECT \(first).id, \(first).score FROM (\(rows(left))) AS \(first) "
        + "WHERE NOT EXISTS (SELECT FROM (\(rows(right))) AS \(second) "
        + "WHERE \(second).id = \(first).id)"
    }
  }

  /// Adds the scores of the rows that parts of the search find. Each part finds a row once.
  private mutating func union(_ parts: [String]) -> String {
    let all = parts.map { "(\($0))" }.joined(separator: " UNION ALL ")
    let name = alias()
    return "SELECT \(name).id, sum(\(name).score) AS score FROM (\(all)) AS \(name) "
      + "GROUP BY \(name).id"
  }

  /// Writes the rows that contain all of some words. They are found with the index of the words alone. The
  /// places, from which the scores are computed, are read only of the found rows.
  private mutating func rows(withWords words: [SearchPhrase.Word]) -> String {
    let table = names.words.quoted
    let aliases = words.map { _ in alias() }
    let sources = aliases.map { "\(table) AS \($0)" }.joined(separator: ", ")
    let conditions =
      aliases.dropFirst().map { "\($0).\"z_index\" = \(aliases[0]).\"z_index\"" }
      + zip(aliases, words).map { "\($0).\(condition($1))" }
    let found =
      "SELECT \(aliases[0]).\"z_index\" AS id FROM \(sources) "
      + "WHERE \(conditions.joined(separator: " AND "))"
    let (row, scored) = (alias(), alias())
    guard isScored else { return "SELECT \(row).id, 0::float8 AS score FROM (\(found)) AS \(row)" }
    let values = words.enumerated().map { index, word in
      "(SELECT sum(\(weight))::float8 FROM \(table) AS w, unnest(w.\"places\") AS place "
        + "WHERE w.\(condition(word)) AND w.\"z_index\" = \(row).id) AS f\(index), "
        + "(SELECT count(*) FROM \(table) AS w WHERE w.\(condition(word))) AS n\(index)"
    }
    let scores = words.indices.map {
      "magic_bm25(\(scored).f\($0), \(scored).\"size\", \(scored).n\($0), s.n, s.size)"
    }
    // OFFSET keeps the server from reading the places of rows that lack a word, and from computing the values
    // for each use.
    return
      "SELECT \(scored).id, \(scores.joined(separator: " + ")) AS score FROM (SELECT \(row).id, "
      + "(SELECT d.\"size\" FROM \(names.rows.quoted) AS d WHERE d.\"z_index\" = \(row).id) AS \"size\", "
      + "\(values.joined(separator: ", ")) FROM (\(found) OFFSET 0) AS \(row) OFFSET 0) AS \(scored) "
      + "CROSS JOIN s"
  }

  /// Writes the rows with one phrase.
  private mutating func one(_ near: NearPhrases) -> String {
    let rows = phrase(near.phrases[0], near.columns, "sum(\(weight))::float8", "f")
    let name = alias()
    guard isScored else {
      return "SELECT \(name).id, 0::float8 AS score FROM (\(rows)) AS \(name)"
    }
    return scored(rows, [("f", "n")])
  }

  /// Writes the rows with phrases that are near each other. The places of all of them are compared by a
  /// function, as FTS5 does.
  private mutating func several(_ near: NearPhrases) -> String {
    let names = near.phrases.map { _ in alias() }
    let sources = near.phrases.enumerated().map { index, phrase in
      let rows = self.phrase(phrase, near.columns, "array_agg(place ORDER BY place)", "p")
      return "(\(rows)) AS \(names[index])" + (index > 0 ? " USING (id)" : "")
    }
    let places = names.map { "\($0).p" }.joined(separator: " || ")
    let counts = names.map { "cardinality(\($0).p)" }.joined(separator: ", ")
    let lengths = near.phrases.map { "\($0.words.count)" }.joined(separator: ", ")
    let numbers = names.enumerated().map { "\($1).n AS n\($0)" }.joined(separator: ", ")
    // OFFSET keeps the server from calling the function for each use of its result.
    let name = alias()
    let rows =
      "SELECT * FROM (SELECT id, "
      + "magic_near(\(places), ARRAY[\(counts)], ARRAY[\(lengths)], \(near.distance), "
      + "\(weightList)) AS f, \(numbers) FROM \(sources.joined(separator: " JOIN ")) OFFSET 0) "
      + "AS \(name) WHERE f IS NOT NULL"
    guard isScored else {
      let outer = alias()
      return "SELECT \(outer).id, 0::float8 AS score FROM (\(rows)) AS \(outer)"
    }
    return scored(rows, near.phrases.indices.map { ("f[\($0 + 1)]", "n\($0)") })
  }

  /// Adds the score to rows with the frequencies of phrases and the numbers of rows that contain them.
  private mutating func scored(_ rows: String, _ phrases: [(f: String, n: String)]) -> String {
    let name = alias()
    let scores = phrases.map { f, n in
      "magic_bm25(\(name).\(f), d.\"size\", \(name).\(n), s.n, s.size)"
    }
    return
      "SELECT \(name).id, \(scores.joined(separator: " + ")) AS score FROM (\(rows)) AS \(name) "
      + "JOIN \(names.rows.quoted) AS d ON d.\"z_index\" = \(name).id CROSS JOIN s"
  }

  // MARK: Phrases

  /// Writes the rows with a phrase, with an aggregate of its places, and the number of rows.
  private func phrase(
    _ phrase: SearchPhrase, _ columns: Set<Int>?, _ aggregate: String, _ name: String
  ) -> String {
    "SELECT id, \(aggregate) AS \(name), count(*) OVER () AS n "
      + "FROM (\(places(of: phrase, columns))) AS w GROUP BY id"
  }

  /// Writes the places of a phrase: those of its first word.
  private func places(of phrase: SearchPhrase, _ columns: Set<Int>?) -> String {
    var conditions: [String] = []
    if let columns {
      let list = columns.sorted().map { "\($0)" }.joined(separator: ", ")
      conditions.append("place >> 32 IN (\(list))")
    }
    if phrase.isFirst { conditions.append("place & 4294967295 = 0") }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let words = phrase.words
    guard words.count > 1 else { return places(of: words[0], 0) + filter }
    guard words.count > Self.joinLimit else {
      let joined = words.enumerated().map { index, word in
        "(\(places(of: word, index))) AS w\(index)" + (index > 0 ? " USING (id, place)" : "")
      }
      return "SELECT id, place FROM \(joined.joined(separator: " JOIN "))\(filter)"
    }
    let all = words.enumerated().map { "(\(places(of: $1, $0)))" }.joined(separator: " UNION ALL ")
    return "SELECT id, place FROM (\(all)) AS w\(filter) GROUP BY id, place "
      + "HAVING count(*) = \(words.count)"
  }

  /// Writes the places before a word by a number of words.
  private func places(of word: SearchPhrase.Word, _ distance: Int) -> String {
    let place = distance == 0 ? "p" : "p - \(distance)"
    // A name of the subquery can be used in conditions.
    return "SELECT id, place FROM (SELECT \"z_index\" AS id, \(place) AS place "
      + "FROM \(names.words.quoted), unnest(\"places\") AS p WHERE \(condition(word))) AS u"
  }

  private func condition(_ word: SearchPhrase.Word) -> String {
    guard word.isPrefix else { return "\"word\" = \(literal(SearchKey.key(of: word.term)))" }
    let start = "\"word\" >= \(literal(Array(word.term.prefix(SearchKey.limit))))"
    guard let end = SearchKey.end(ofPrefix: word.term) else { return start }
    return "\(start) AND \"word\" < \(literal(end))"
  }

  private func literal(_ bytes: [UInt8]) -> String {
    var digits = "'\\x"
    for byte in bytes {
      if byte < 16 { digits += "0" }
      digits += String(byte, radix: 16)
    }
    return digits + "'::bytea"
  }

  /// The weight of a place.
  private var weight: String {
    guard let first = weights.first, weights.contains(where: { $0 != first }) else {
      return "\(weights.first ?? 1)::float8"
    }
    return "(\(weightList))[(place >> 32) + 1]"
  }

  private var weightList: String {
    "'{\(weights.map { "\($0)" }.joined(separator: ","))}'::float8[]"
  }
}
