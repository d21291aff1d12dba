import MagicSchema
package import SQLiteTables

/// Queries about the rows of a table before its migration.
package struct RowStatistics {
  package let description: TableDescription
  package let queries: any RowQueries

  package init(description: TableDescription, queries: any RowQueries) {
    self.description = description
    self.queries = queries
  }

  private var table: String { description.storedSource }

  var hasRows: Bool {
    get throws { try queries.integer("SELECT EXISTS (SELECT 1 FROM \(table))") != 0 }
  }

  /// Returns the number of rows with a value in a column. An empty file name is not a value.
  func valueCount(of column: TableDescription.Column) throws -> Int64 {
    guard case .stored(let name) = column.values else { return 0 }
    let condition =
      column.isFile ? "ifnull(\(name.quoted), '') <> ''" : "\(name.quoted) IS NOT NULL"
    return try queries.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
  }

  func linkCount(of collection: TableDescription.Collection) throws -> Int64 {
    try queries.integer("SELECT count(*) FROM \(collection.storedSource)")
  }

  /// Returns the first few rows for which a condition on a column is true. `condition` receives the
  /// column's name in the file. Returns no rows if the values of the column are not known yet.
  package func rows(
    where condition: (String) -> String, of column: TableDescription.Column
  ) throws -> [Int64] {
    guard case .stored(let name) = column.values else { return [] }
    return try queries.firstRows(
      "SELECT \"z_index\" FROM \(table) WHERE \(condition(name.quoted))")
  }

  /// Returns the first few owners of a collection with more than one member.
  func ownersOfSeveral(_ collection: TableDescription.Collection) throws -> [Int64] {
    try queries.firstRows(
      "SELECT \"owner\" FROM \(collection.storedSource) GROUP BY \"owner\" "
        + "HAVING count(*) > 1 ORDER BY \"owner\"")
  }

  /// Returns the first few owners of a list that contains a member more than once.
  func ownersOfDuplicates(_ collection: TableDescription.Collection) throws -> [Int64] {
    try queries.firstRows(
      "SELECT DISTINCT \"owner\" FROM \(collection.storedSource) "
        + "GROUP BY \"owner\", \"target\" HAVING count(*) > 1 ORDER BY \"owner\"")
  }

  /// Returns the first few members with several owners, or with several positions in one list.
  func membersOfSeveral(_ collection: TableDescription.Collection) throws -> [Int64] {
    try queries.firstRows(
      "SELECT \"target\" FROM \(collection.storedSource) "
        + "GROUP BY \"target\" HAVING count(*) > 1 ORDER BY \"target\"")
  }

  /// Returns the first few rows to which several rows refer through a column.
  func targetsOfSeveral(_ column: TableDescription.Column) throws -> [Int64] {
    guard case .stored(let name) = column.values else { return [] }
    return try queries.firstRows(
      "SELECT \(name.quoted) FROM \(table) WHERE \(name.quoted) IS NOT NULL "
        + "GROUP BY \(name.quoted) HAVING count(*) > 1 ORDER BY \(name.quoted)")
  }

  /// Returns the SQL that removes the columns of an owned list.
  ///
  /// - Parameter copy: the list that gets the members; nil to remove all members.
  func delete(_ list: OwnedColumns, copyingTo copy: OwnedColumns? = nil) throws -> [String] {
    var number = 1
    var suffix = ""
    // The table may still have the columns of a list that was removed before.
    while try queries.integer(
      "SELECT count(*) FROM pragma_table_info(\(list.table.literal)) "
        + "WHERE \"name\" = \(list.deletedOwner(suffix: suffix).literal) COLLATE NOCASE") > 0
    {
      number += 1
      suffix = " \(number)"
    }
    return list.delete(copyingTo: copy, suffix: suffix)
  }

  /// Returns the SQL that removes a collection: its join table, or the columns of an owned list.
  func drop(_ collection: TableDescription.Collection) throws -> [String] {
    if let owned = collection.owned { return try delete(owned) }
    return LinkChange.drop(collection)
  }

  /// Returns the first few rows without members.
  func rowsWithout(_ collection: TableDescription.Collection) throws -> [Int64] {
    try queries.firstRows(
      "SELECT \"z_index\" FROM \(table) WHERE \"z_index\" NOT IN "
        + "(SELECT \"owner\" FROM \(collection.storedSource)) ORDER BY \"z_index\"")
  }
}
