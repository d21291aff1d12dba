/// One index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// Column names, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    let list = columns.map(Self.word).joined(separator: ", ")
    name = "\(Self.prefix(ofTable: table))\(list))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
  }

  /// What the names of all indexes of a table begin with.
  package static func prefix(ofTable table: String) -> String { "\(word(table))(" }

  /// A name that could be taken for part of the list is quoted, so that no two indexes have one
  /// name.
  private static func word(_ name: String) -> String {
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
