/// One index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// Column names, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    let list = columns.map(Self.word).joined(separator: ", ")
    name = "\(Self.word(table))(\(list))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
  }

  /// A name that could be taken for part of the list is quoted, so that no two indexes have one
  /// name.
  private static func word(_ name: String) -> String {
    guard name.contains(where: { "(),\"".contains($0) }) else { return name }
    return "\"\(String(name.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))\""
  }
}
