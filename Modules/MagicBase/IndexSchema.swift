/// The description of one index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// The names of the columns, in order. Empty for an index over expressions.
  package let columns: [String]
  package let isUnique: Bool
  /// The expressions and the predicate; nil for an index of all rows over columns.
  package let computed: ComputedIndex?

  package init(table: String, columns: [String], isUnique: Bool) {
    let list = columns.map(Self.listElement).joined(separator: ", ")
    name = "\(Self.prefix(ofTable: table))\(list))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
    computed = nil
  }

  /// Creates the description of an index over expressions, or of a partial index. Its name contains
  /// its definition, so that indexes with other definitions have other names.
  package init(table: String, columns: [String], computed: ComputedIndex, isUnique: Bool) {
    let list =
      computed.expressions.isEmpty
      ? columns.map(Self.listElement) : computed.expressions.map(\.definition)
    let condition = computed.predicate.map { " where \($0.definition)" } ?? ""
    name =
      "\(Self.prefix(ofTable: table))\(list.joined(separator: ", ")))\(condition)"
      + (isUnique ? " unique" : "")
    self.columns = computed.expressions.isEmpty ? columns : []
    self.isUnique = isUnique
    self.computed = computed
  }

  /// Whether no two rows have the same values in the columns.
  package var identifiesRows: Bool { isUnique && computed == nil }

  package static func == (left: IndexSchema, right: IndexSchema) -> Bool {
    left.name == right.name && left.columns == right.columns && left.isUnique == right.isUnique
  }

  /// Returns the beginning of the names of all indexes of a table.
  package static func prefix(ofTable table: String) -> String { "\(listElement(table))(" }

  /// Returns the name for use in a list. A name that contains characters of the list syntax is
  /// quoted, so that two indexes never have the same name.
  private static func listElement(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: { "(),\"".unicodeScalars.contains($0) }) else {
      return name
    }
    var quoted = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      quoted.append(scalar)
      if scalar == "\"" { quoted.append(scalar) }
    }
    return "\"\(String(quoted))\""
  }
}
