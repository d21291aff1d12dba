import MagicSchema
import SQLiteTables

/// Foreign keys of other tables that refer to a table that is replaced. They must refer to a unique
/// column of the new table, or SQLite refuses to write to it.
extension AdoptionPlanner {
  /// Returns the statements that rename columns of the foreign table to the names that they have in
  /// the new table: SQLite renames them in the foreign keys of other tables too.
  mutating func renamings() throws -> [String] {
    var renamed: [String: String] = [:]
    for referrer in table.referrers {
      let isAdopted = adoptions.all.contains { $0.replaces(referrer.table) }
      guard let column = referrer.column.map({ table.column($0) ?? $0 }) else {
        if !isAdopted { refuseUnnamedKey(referrer) }
        continue
      }
      guard let name = newName(of: column) else {
        if isAdopted { continue }
        refusals.append(
          "the table \(referrer.table) refers to its column \(column), which no unique property of "
            + "the type has")
        continue
      }
      if !name.isName(column) { renamed[column] = name }
    }
    return renamed.sorted { $0.key < $1.key }.map {
      "ALTER TABLE \(table.name.quoted) RENAME COLUMN \($0.key.quoted) TO \($0.value.quoted)"
    }
  }

  /// A foreign key that names no column refers to the row IDs of the new table.
  private mutating func refuseUnnamedKey(_ referrer: ForeignTable.Referrer) {
    guard !table.hasRowIDKey else { return }
    refusals.append(
      "the table \(referrer.table) refers to its primary key without naming the column: adopt that "
        + "table in the same call of migrate")
  }

  /// Returns the name that a column has in the new table; nil if it is not unique there.
  private func newName(of column: String) -> String? {
    let property = property(of: column)
    if let property, !property.isRowID {
      let isUnique =
        property.isUnique
        || schema.indexes.contains {
          $0.identifiesRows && $0.columns.count == 1 && $0.columns[0].isName(property.name)
        }
      if isUnique { return property.name }
    }
    return table.rowIDKey?.isName(column) ?? false ? TableSQL.zIndex : nil
  }

  /// Refuses to drop a table to which another table refers.
  mutating func refuseReferrers(of joinTable: ForeignTable) {
    guard let referrer = joinTable.referrers.first else { return }
    refusals.append(
      "the table \(referrer.table) refers to the table \(joinTable.storedName), which is dropped")
  }
}
