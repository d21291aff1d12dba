import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// Deletes rows, following the delete rules of relationships. All rows of a level are deleted by one
/// statement for each relationship.
extension PostgreSQLTransaction {
  package func removeAll(_ schema: ObjectSchema) throws -> Int {
    guard let statements = try migrating({ try session.statements(of: schema) }) else { return 0 }
    session.fields.removeAll()
    let highest = try session.run(
      statements.statement("SELECT max(\"z_index\") FROM \(statements.table)", []), schema)
    guard !highest.isNull(0, 0) else { return 0 }
    // A trigger may insert other rows, which stay.
    let last = highest.integer(0, 0)
    var (first, count) = (Int64.min, 0)
    let select = statements.statement(
      "SELECT \"z_index\" FROM \(statements.table) WHERE \"z_index\" BETWEEN $1 AND $2 "
        + "ORDER BY \"z_index\" LIMIT \(Self.removedTogether)", [.bigint, .bigint])
    while true {
      session.fields.removeAll()
      session.fields.append(integer: first)
      session.fields.append(integer: last)
      let result = try session.run(select, schema)
      let rowIDs = (0..<result.count).map { result.integer($0, 0) }
      count += try remove(rowIDs, from: schema.tableName)
      guard rowIDs.count == Self.removedTogether, let previous = rowIDs.last, previous < last
      else { return count }
      first = previous + 1
    }
  }

  /// The number of rows that are deleted together, with those to which they cascade, when all rows of a
  /// type are deleted.
  private static var removedTogether: Int { 65_536 }

  /// Deletes rows of a table, and all rows to which the deletion cascades.
  ///
  /// - Returns: the number of rows of the table, with those to which it cascades.
  @discardableResult
  func remove(_ rowIDs: some Collection<Int64>, from table: String) throws -> Int {
    guard !rowIDs.isEmpty else { return 0 }
    let relationships = try relationships()
    let rows = try withAllThatCascades(Array(rowIDs), table, relationships)
    for (table, rowIDs) in rows {
      note(written: table)
      for relationship in relationships {
        try release(rowIDs, of: table, along: relationship)
      }
    }
    for (table, rowIDs) in rows {
      _ = try run("DELETE FROM \(table.quoted) WHERE \"z_index\" = ANY($1)", rowIDs, table)
    }
    if relationships.contains(where: { $0.rule == .deny }) { hasUncheckedReferences = true }
    return rows[table]?.count ?? 0
  }

  /// Returns the given rows and all rows to which their deletion cascades, by table.
  private func withAllThatCascades(
    _ rowIDs: [Int64], _ table: String, _ relationships: [Relationship]
  ) throws -> [String: [Int64]] {
    var found: [String: Set<Int64>] = [table: Set(rowIDs)]
    var level: [String: [Int64]] = [table: rowIDs]
    let cascading = relationships.filter { $0.rule == .cascade }
    while !level.isEmpty {
      try Task.checkCancellation()
      var next: [String: [Int64]] = [:]
      for (table, rowIDs) in level {
        for relationship in cascading {
          guard let (other, sql) = dependent(on: table, along: relationship) else { continue }
          let result = try run(sql, rowIDs, table)
          for row in 0..<result.count {
            let rowID = result.integer(row, 0)
            if found[other, default: []].insert(rowID).inserted {
              next[other, default: []].append(rowID)
            }
          }
        }
      }
      level = next
    }
    return found.mapValues { $0.sorted() }
  }

  /// Returns the table of the rows that are deleted with rows of a table, and the SQL that selects
  /// them.
  private func dependent(
    on table: String, along relationship: Relationship
  ) -> (table: String, sql: String)? {
    if let joinTable = relationship.joinTable {
      guard relationship.owner == table else { return nil }
      return (
        relationship.target,
        "SELECT \"target\" FROM \(joinTable.quoted) WHERE \"owner\" = ANY($1)"
      )
    }
    guard relationship.target == table else { return nil }
    return (
      relationship.owner,
      "SELECT \"z_index\" FROM \(relationship.owner.quoted) "
        + "WHERE \(relationship.property.quoted) = ANY($1)"
    )
  }

  /// Removes the references to and from rows that are deleted, as the delete rule says.
  private func release(
    _ rowIDs: [Int64], of table: String, along relationship: Relationship
  ) throws {
    if let joinTable = relationship.joinTable {
      if relationship.owner == table {
        _ = try run("DELETE FROM \(joinTable.quoted) WHERE \"owner\" = ANY($1)", rowIDs, table)
      }
      guard relationship.target == table, relationship.rule != .deny else { return }
      let result = try run(
        "DELETE FROM \(joinTable.quoted) WHERE \"target\" = ANY($1)", rowIDs, table)
      if result.affectedCount > 0 { note(written: joinTable) }
    } else if relationship.target == table, relationship.rule == .nullify {
      let column = relationship.property.quoted
      let result = try run(
        "UPDATE \(relationship.owner.quoted) SET \(column) = NULL WHERE \(column) = ANY($1)",
        rowIDs, table)
      if result.affectedCount > 0 { note(written: relationship.owner) }
    }
  }

  private func run(_ sql: String, _ rowIDs: [Int64], _ table: String) throws -> PostgreSQLResult {
    try session.run(sql, rowIDs, session.context.owners.type(of: table))
  }
}
