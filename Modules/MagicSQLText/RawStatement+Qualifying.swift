package import MagicRequests
import MagicSchema

extension RawStatement {
  /// Returns the text with a qualifier before each column whose name is ambiguous.
  package func qualifiedText(dialect: SQLDialect) throws -> String {
    guard names.count > 2, names.contains(where: \.isUnqualified),
      names.count(where: { !$0.isUnqualified }) > 1
    else { return text }
    var qualifier = ColumnQualifier(self, dialect)
    return try qualifier.qualifiedText()
  }

  /// Returns a text with common table expressions.
  package static func text(
    _ text: String, with expressions: [String], at point: WithClause.InsertionPoint
  ) -> String {
    let list = expressions.joined(separator: ", ")
    let clause = point.isInClause ? " \(list), " : "WITH \(list) "
    return "\(text[..<point.index])\(clause)\(text[point.index...])"
  }
}
