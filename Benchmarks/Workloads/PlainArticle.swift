/// An article as a plain struct: a row whose texts are searched.
public struct PlainArticle: Sendable {
  /// The number of the article.
  public var number: Int
  /// Five words.
  public var title: String
  /// Sixty words.
  public var body: String

  /// Creates articles with consecutive numbers.
  ///
  /// The words are of a vocabulary of 5,000, the first of which are the most frequent: every second
  /// word is one of the first 200.
  public static func make(_ count: Int, from first: Int = 0) -> [PlainArticle] {
    var random = SplitMix(state: UInt64(first) &+ 11)
    return (first..<first + count).map { number in
      PlainArticle(
        number: number, title: text(5, &random), body: text(60, &random))
    }
  }

  /// Two words of each of a number of articles, which the search for them therefore finds.
  public static func searches(_ count: Int, of articles: [PlainArticle]) -> [String] {
    var random = SplitMix(state: 5)
    return (0..<count).compactMap { _ in
      guard let words = articles.randomElement(using: &random)?.body.split(separator: " "),
        let one = words.randomElement(using: &random),
        let other = words.randomElement(using: &random)
      else { return nil }
      return "\(one) \(other) "
    }
  }

  private static func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in word(&random) }.joined(separator: " ")
  }

  private static func word(_ random: inout SplitMix) -> String {
    var rank = Int(random.next() % (random.next() % 2 == 0 ? 200 : 5_000))
    var word = ""
    for _ in 0..<3 {
      for letters in ["bdfgklmnprstvz", "aeiou"] {
        let place = rank % letters.utf8.count
        word.append(letters[letters.index(letters.startIndex, offsetBy: place)])
        rank /= letters.utf8.count
      }
    }
    return word
  }
}
