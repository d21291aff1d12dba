import MagicPostgreSQL
import MagicSchema

/// How the texts of an expression are compared, by the rules of SQLite: a collation that the expression
/// names decides, then the collation of the first operand that is a column. Other expressions have no
/// collation.
struct TextComparison {
  /// The collation; nil for a column whose texts are compared by their bytes.
  let collation: MagicCollation?
  /// Whether the expression names the collation.
  var isExplicit = false
}

/// Comparisons, orders and groups of texts by a collation.
///
/// The SQL of every text has the server's collation `C`, so that its functions are those of bytes. Only
/// a key has another: comparisons, orders and groups are rendered with the keys of their operands.
extension SQLTerm {
  /// The collation by which the texts are ordered and grouped; nil if by their bytes.
  var collation: MagicCollation? { type == .text ? comparison?.collation : nil }

  /// Whether different texts can be equal.
  var hasEqualTexts: Bool { collation?.kind == .caseInsensitive }

  /// The key by which the values are ordered and grouped.
  var key: SQLTerm { key(by: collation) }

  /// Returns the key by which the values are compared in a comparison with others.
  func key(by collation: MagicCollation?) -> SQLTerm {
    guard type == .text, let collation else { return self }
    return SQLTerm(collation.key(of: operand), type, mayBeNull: value.mayBeNull)
  }

  /// Returns the collation of a comparison.
  static func collation(of operands: [SQLTerm]) -> MagicCollation? {
    let comparisons = operands.compactMap(\.comparison)
    return (comparisons.first(where: \.isExplicit) ?? comparisons.first)?.collation
  }

  /// Returns the keys of the operands of a comparison.
  static func keys(of operands: [SQLTerm]) -> [SQLTerm] {
    let collation = collation(of: operands)
    return operands.map { $0.key(by: collation) }
  }

  /// The first by bytes of the texts that are equal in a group.
  var first: SQLTerm { hasEqualTexts ? named("min(\(text))") : self }
}
