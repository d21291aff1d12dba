import Foundation
package import MagicSchema

/// Collations of a server, which are all predefined: nothing is created in the database, and a query of
/// a reader has those of all locales.
///
/// A locale has the server's collation of ICU, such as `de-x-icu`. It is deterministic: texts that ICU
/// finds equal are ordered by their bytes, as in files.
///
/// No collation of version 15 ignores the case of A to Z only. Texts are compared by a key instead,
/// which is the text with A to Z in lower case. The column has the collation `POSIX`, which orders by
/// bytes as `C` does. So the catalogue of the server shows how the texts of each column are compared.
extension MagicCollation {
  /// The collation of columns and expressions whose texts are compared by their bytes.
  package static let bytes = "C"

  /// The name of the collation of a column.
  package var postgreSQLName: String {
    switch kind {
    case .caseInsensitive: Self.caseInsensitiveColumn
    case .locale(let identifier): Self.languageTag(of: identifier) + Self.suffix
    // The current locale is resolved before.
    case .currentLocale: Self.bytes
    }
  }

  /// - Returns: nil if the texts of a column with a collation are compared by their bytes.
  package init?(postgreSQLName name: String) {
    if name == Self.caseInsensitiveColumn {
      self = .caseInsensitive
    } else if name.hasSuffix(Self.suffix) {
      self = .localized(Self.identifier(of: String(name.dropLast(Self.suffix.count))))
    } else {
      return nil
    }
  }

  /// Returns the SQL of the key by which a text is compared.
  ///
  /// - Parameter text: the SQL of a text with the collation `C`, as an operand.
  package func key(of text: String) -> String {
    switch kind {
    // In the collation "C", only the letters A to Z are converted.
    case .caseInsensitive: "lower(\(text))"
    case .locale: "(\(text) COLLATE \(postgreSQLName.quoted))"
    case .currentLocale: text
    }
  }

  /// Returns the SQL of the key that an index has for a column, or of a value to compare with it. The
  /// key of a locale is the column itself, which has the collation.
  package static func indexed(_ sql: String, _ collation: MagicCollation?) -> String {
    guard let collation, collation.kind == .caseInsensitive else { return sql }
    return collation.key(of: "\(sql) COLLATE \(bytes.quoted)")
  }

  private static let caseInsensitiveColumn = "POSIX"
  private static let suffix = "-x-icu"

  // MARK: Locales

  private static let root = (identifier: "root", tag: "und")
  private static let posix = (identifier: "en_US_POSIX", tag: "en-US-u-va-posix")
  private static let keyword = (identifier: "@collation=", tag: "-u-co-")
  /// The types of collations whose names in a language tag are shorter.
  private static let types = [
    ("dictionary", "dict"), ("gb2312han", "gb2312"), ("phonebook", "phonebk"),
    ("traditional", "trad"),
  ]

  private static func languageTag(of identifier: String) -> String {
    if identifier == root.identifier { return root.tag }
    if identifier == posix.identifier { return posix.tag }
    let (name, type) = parts(of: identifier, at: keyword.identifier)
    let tag = String(name.map { $0 == "_" ? "-" : $0 })
    guard let type else { return tag }
    return tag + keyword.tag + (types.first { $0.0 == type }?.1 ?? type)
  }

  private static func identifier(of tag: String) -> String {
    if tag == root.tag { return root.identifier }
    if tag == posix.tag { return posix.identifier }
    let (name, type) = parts(of: tag, at: keyword.tag)
    let identifier = String(name.map { $0 == "-" ? "_" : $0 })
    guard let type else { return identifier }
    return identifier + keyword.identifier + (types.first { $0.1 == type }?.0 ?? type)
  }

  private static func parts(
    of text: String, at separator: String
  ) -> (name: Substring, rest: String?) {
    guard let range = text.range(of: separator) else { return (text[...], nil) }
    return (text[..<range.lowerBound], String(text[range.upperBound...]))
  }
}
