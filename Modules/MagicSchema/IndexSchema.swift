/// One index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// Column names, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    let names = columns.map(Self.unmistakable).joined(separator: ", ")
    name = "\(table)(\(names))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
  }

  /// A name that could be read as several is put in quotes.
  private static func unmistakable(_ name: String) -> String {
    name.contains(where: { ",()'".contains($0) }) ? "'\(name)'" : name
  }
}
