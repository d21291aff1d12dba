/// Texts of a small alphabet, and the words that a search index has of them: an independent
/// implementation of the rules of words without case and accents.
enum SearchText {
  /// Parts of texts: letters of several scripts, digits, separators, and operators of the syntax of
  /// searches.
  private static let parts = [
    "a", "b", "c", "ab", "abc", "A", "B", "é", "É", "e\u{301}", "ß", "東", "京", "м", "М", "٣", "1",
    "AND", "OR", "NOT", "NEAR(", "c0", " ", " ", " ", " ", ", ", "\n", "\"", "'", "*", "(", ")",
    "-",
    "+", "^", ":", "{", "}", "😀", "\u{FEFF}", "\u{301}", "--",
  ]

  /// The letters and digits outside of ASCII, with their forms in the index.
  private static let forms: [Unicode.Scalar: Unicode.Scalar] = [
    "é": "e", "É": "e", "ß": "ß", "東": "東", "京": "京", "м": "м", "М": "м", "٣": "٣",
  ]

  /// An accent that follows a letter, which the index leaves out.
  private static let accent: Unicode.Scalar = "\u{301}"

  /// Reads a text of at most a number of parts.
  static func read(_ input: inout ByteReader, upTo limit: Int) -> String {
    (0..<input.number(below: limit + 1)).map { _ in parts[Int(input.byte()) % parts.count] }
      .joined()
  }

  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    for scalar in text.unicodeScalars {
      if scalar == accent, word != nil { continue }
      if let form = form(scalar) {
        word = word ?? .init()
        word?.append(form)
      } else if let complete = word {
        words.append(String(complete))
        word = nil
      }
    }
    return words + (word.map { [String($0)] } ?? [])
  }

  private static func form(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "A"..."Z": Unicode.Scalar(scalar.value + 32)
    case "a"..."z", "0"..."9": scalar
    default: forms[scalar]
    }
  }
}
