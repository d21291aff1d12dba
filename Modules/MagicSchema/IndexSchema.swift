/// One index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// Column names, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    let words = ([table] + columns).map(Self.word) + (isUnique ? ["unique"] : [])
    name = words.joined(separator: " ")
    self.columns = columns
    self.isUnique = isUnique
  }

  /// A name that would look like several words, or like the mark of a unique index, is quoted, so
  /// that no two indexes have one name.
  private static func word(_ name: String) -> String {
    guard name.contains(where: { $0 == " " || $0 == "\"" }) || name.lowercased() == "unique" else {
      return name
    }
    return "\"\(String(name.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))\""
  }
}
