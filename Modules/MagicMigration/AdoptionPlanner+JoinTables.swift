import MagicEngine
import MagicSchema
import SQLiteTables

/// A table with two foreign keys whose rows become the join rows of a collection.
struct AdoptedJoinTable {
  /// The relationship after the copy: a set.
  let relationship: Relationship
  /// The query for the row IDs before the plan runs.
  let query: String
  let statements: [String]
}

extension AdoptionPlanner {
  mutating func adoptedJoinTables() throws -> [AdoptedJoinTable] {
    try schema.adoptedJoinTables.compactMap { try adopted($0.table, $0.property) }
  }

  private mutating func adopted(_ name: String, _ property: String) throws -> AdoptedJoinTable? {
    guard let column = schema.storedCollections.first(where: { $0.isNamed(property, in: schema) })
    else {
      refusals.append("the type has no collection \(property) for the rows of the table \(name)")
      return nil
    }
    guard try catalogue.exists(name), try catalogue.entry(for: name) == nil,
      !name.hasPrefix(JoinTableName.prefix)
    else {
      refusals.append("there is no table \(name) for \(column.name)")
      return nil
    }
    let joinTable = try ForeignTable(name, catalogue)
    refuseDependents(of: joinTable)
    refuseReferrers(of: joinTable)
    guard let (owner, target) = try references(of: joinTable, column) else { return nil }
    try refuseDangling(owner, target, in: joinTable, column)
    return try AdoptedJoinTable(
      relationship: Relationship(
        owner: schema.tableName, column: column.name, kind: LinkKind.set.rawValue,
        target: column.target.tableName, rule: column.deleteRule.rawValue,
        linkTable: column.joinTable(of: schema)),
      query: query(owner, target, joinTable, isPlanned: false),
      statements: statements(
        column, query(owner, target, joinTable, isPlanned: true), joinTable))
  }

  /// Returns the columns that refer to the owners and the members.
  private mutating func references(
    of joinTable: ForeignTable, _ column: CollectionColumn
  ) throws -> (owner: AdoptedReference, target: AdoptedReference)? {
    let (name, keys) = (joinTable.storedName, joinTable.references)
    guard keys.count == 2, keys.allSatisfy({ $0.columns.count == 1 }) else {
      refusals.append("the table \(name) does not have two foreign keys of one column")
      return nil
    }
    let columns = keys.flatMap(\.columns)
    let others = joinTable.columns.filter { other in
      !columns.contains { $0.isName(other) } && !(joinTable.rowIDKey?.isName(other) ?? false)
    }
    guard others.isEmpty else {
      refusals.append(
        "the table \(name) has other columns than its foreign keys: "
          + "\(others.joined(separator: ", ")); declare a type for it")
      return nil
    }
    let isReversed = !adoptions.isTable(keys[0].table, of: schema)
    guard
      let owner = try reference(
        columns[isReversed ? 1 : 0], to: schema, in: joinTable, alias: "\"magic_owner\""),
      let target = try reference(
        columns[isReversed ? 0 : 1], to: column.target, in: joinTable, alias: "\"magic_target\"")
    else { return nil }
    return (owner, target)
  }

  private mutating func refuseDangling(
    _ owner: AdoptedReference, _ target: AdoptedReference, in joinTable: ForeignTable,
    _ column: CollectionColumn
  ) throws {
    let nulls = try rows.integer(
      "SELECT count(*) FROM \(joinTable.storedName.quoted) "
        + "WHERE \(owner.column.quoted) IS NULL OR \(target.column.quoted) IS NULL")
    let count = try danglingCount([owner, target], in: joinTable) + nulls
    guard count > 0 else { return }
    isDestroying = true
    guard !mayLose(column) else { return }
    refusals.append(
      "\(count == 1 ? "one row" : "\(count) rows") of the table \(joinTable.storedName) "
        + "\(count == 1 ? "refers" : "refer") to rows that do not exist: declare "
        + ".convertValue(name: \"\(column.name)\") after it to drop them")
  }

  private func query(
    _ owner: AdoptedReference, _ target: AdoptedReference, _ joinTable: ForeignTable,
    isPlanned: Bool
  ) throws -> String {
    guard try referenced(target, isPlanned: isPlanned) != nil else {
      return "SELECT NULL AS \"owner\", NULL AS \"target\" WHERE 0"
    }
    let (first, second) = ("\(owner.alias).\"z_index\"", "\(target.alias).\"z_index\"")
    return try "SELECT DISTINCT \(first) AS \"owner\", \(second) AS \"target\" "
      + "FROM \((isPlanned ? joinTable.name : joinTable.storedName).quoted) AS row"
      + join(owner, isPlanned: isPlanned) + join(target, isPlanned: isPlanned)
      + " WHERE \(first) IS NOT NULL AND \(second) IS NOT NULL"
  }

  private func statements(
    _ column: CollectionColumn, _ query: String, _ joinTable: ForeignTable
  ) throws -> [String] {
    let link = LinkTable(owner: schema, column: column)
    return [
      try link.createTable(as: link.name, kind: .set), link.createIndex,
      "INSERT INTO \(link.name.quoted) (\"owner\", \"target\") \(query) ORDER BY 1, 2",
      "DROP TABLE \(joinTable.name.quoted)",
    ]
  }
}
