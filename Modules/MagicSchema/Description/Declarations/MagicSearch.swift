/// How the texts of a type are divided into the words that a search finds.
///
/// ```swift
/// struct Essay: MagicObject {
///   @PrimaryMagicValue var id: UUID
///   @MagicValue(.searchable(weight: 10)) var title: String
///   @MagicValue(.searchable) var body: MagicAsset<String>
///   @MagicValue(.searchable) var tags: [String] = []
///   @MagicValue var section: String = "dev"
///   static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)).prefixes(2...3) }
///
///   init() { body = .init() }
/// }
/// ```
///
/// A change of it is a migration that rebuilds the search index of the type. A change of weights needs
/// no migration.
public struct MagicSearch: Sendable, Hashable {
  package enum Units: Sendable, Hashable {
    case words(keepsAccents: Bool, stemming: Language?)
    case trigrams
  }

  package let units: Units
  /// The lengths of the beginnings of words that the index contains, in characters.
  package private(set) var prefixLengths: ClosedRange<Int>?

  /// Divides texts into words: sequences of letters and digits. Upper and lower case are equal. By
  /// default letters with and without accents are equal, and words are not stemmed.
  public static func words(_ options: WordOption...) -> MagicSearch {
    var (keepsAccents, stemming) = (false, Language?.none)
    for option in options {
      switch option.kind {
      case .accents(let keeps): keepsAccents = keeps
      case .stemmed(let language): stemming = language
      }
    }
    return MagicSearch(units: .words(keepsAccents: keepsAccents, stemming: stemming))
  }

  /// Divides texts into all sequences of three characters, so that a search finds any part of a word
  /// with three or more characters. Use it for languages that write no spaces between words, and
  /// for codes and names. Upper and lower case are equal. The index is about three times as large as
  /// one of words. Library versions of the database from before 2021 lack it.
  public static var trigrams: MagicSearch { MagicSearch(units: .trigrams) }

  private init(units: Units) { self.units = units }

  /// Returns a search whose index also contains the beginnings of words with these lengths, so that
  /// searches for such beginnings are as fast as those for whole words. Lengths from 1 to 20 are
  /// possible.
  public func prefixes(_ lengths: ClosedRange<Int>) -> MagicSearch {
    var search = self
    search.prefixLengths = lengths
    return search
  }

  /// A property of the words of a search.
  public struct WordOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case accents(Bool)
      case stemmed(Language)
    }

    let kind: Kind

    /// Letters with and without accents are equal: a search for `resume` finds `résumé`. This is the
    /// default.
    public static var withoutAccents: WordOption { WordOption(kind: .accents(false)) }

    /// Letters with and without accents are different.
    public static var withAccents: WordOption { WordOption(kind: .accents(true)) }

    /// The forms of a word are equal: a search for `searching` finds `search`.
    public static func stemmed(_ language: Language) -> WordOption {
      WordOption(kind: .stemmed(language))
    }
  }

  /// A language whose words can be stemmed.
  public struct Language: Sendable, Hashable {
    private let name: String

    /// English, with the Porter stemming algorithm.
    public static var english: Language { Language(name: "english") }
  }
}
