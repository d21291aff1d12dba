/// How texts are ordered and compared: by their bytes, without the case of letters, or as people of a
/// language order them.
///
/// ```swift
/// @MagicValue(.compared(.localized("de")), .indexed) var name: String
/// ```
///
/// Without a collation, texts are compared by their bytes: "Zoe" precedes "ada", and "Éva" is last.
public struct MagicCollation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case caseInsensitive
    /// The order of a locale, given by its identifier.
    case locale(String)
    /// The order of the locale that the process has when a query is built.
    case currentLocale
  }

  package let kind: Kind

  package init(kind: Kind) { self.kind = kind }

  /// Ignores the case of the letters A to Z, in the order of their lower-case forms. All other
  /// characters are compared by their bytes. In a file it is the collation `NOCASE`, which every program
  /// has.
  ///
  /// `equals(_:_:)` and `contains(_:_:)` ignore the case of all letters.
  public static var caseInsensitive: MagicCollation { MagicCollation(kind: .caseInsensitive) }

  /// The order of a language or region, by Foundation's comparison of texts: "ada", "Éva", "Zoe".
  ///
  /// Lower case, upper case and accents decide only between texts that are otherwise equal. Texts
  /// that are equal in the order of the language, as the composed and the decomposed form of a
  /// letter, are ordered by their bytes: only texts with equal bytes are equal, so that `==` and
  /// unique indexes do not depend on the language.
  ///
  /// - Parameter identifier: the identifier of a locale, as `Locale(identifier:)` takes it: at most 64
  ///   letters, digits and characters of `_-@=;`. A locale that the system does not have is ordered
  ///   like the root locale.
  public static func localized(_ identifier: String) -> MagicCollation {
    MagicCollation(kind: .locale(identifier))
  }

  /// The order of the current locale of the process when the query is built. Only queries can have
  /// it: a column names its locale, because the order in a file must not depend on the reader.
  public static var localized: MagicCollation { MagicCollation(kind: .currentLocale) }

  /// A name that identifies the collation in fingerprints, in `magic_columns` and in the hashes of
  /// queries; nil for the current locale.
  package var name: String? {
    switch kind {
    case .caseInsensitive: "caseInsensitive"
    case .locale(let identifier): "localized:\(identifier)"
    case .currentLocale: nil
    }
  }
}
