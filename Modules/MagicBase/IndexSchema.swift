/// The description of one index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// The names of the columns, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    let list = columns.map(Self.listElement).joined(separator: ", ")
    name = "\(Self.prefix(ofTable: table))\(list))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
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
