/// The columns of a subquery whose distinct rows are selected.
struct DistinctColumns {
  private let terms: [SQLTerm]

  init(_ terms: [SQLTerm]) { self.terms = terms }

  private var columns: [SQLTerm] { terms.indices.map { terms[$0].named("\"\($0)\"") } }

  /// The columns in the list of the subquery.
  var definitions: [String] { zip(terms, columns).map { "\($0.text) AS \($1.text)" } }

  var names: String { columns.map(\.text).joined(separator: ", ") }

  /// The selected values of the groups. Of equal texts, the first by bytes is selected.
  var list: String {
    columns.map { "\($0.first.text) AS \($0.text)" }.joined(separator: ", ")
  }

  /// The keys of the groups. In a locale, equal texts have equal bytes.
  var keys: String {
    columns.map { ($0.hasEqualTexts ? $0.key : $0).text }.joined(separator: ", ")
  }
}
