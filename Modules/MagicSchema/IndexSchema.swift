/// One index of a type's table.
package struct IndexSchema: Sendable, Equatable {
  package let name: String
  /// Column names, in order.
  package let columns: [String]
  package let isUnique: Bool

  package init(table: String, columns: [String], isUnique: Bool) {
    name = "\(table)(\(columns.joined(separator: ", ")))\(isUnique ? " unique" : "")"
    self.columns = columns
    self.isUnique = isUnique
  }
}
