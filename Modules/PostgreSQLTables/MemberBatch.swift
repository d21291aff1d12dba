package import MagicEngine
package import MagicPostgreSQL
package import MagicSchema

/// Changes of the members of one collection property, with several owners, which share the statements that
/// write them.
package final class MemberBatch {
  package let owner: ObjectSchema
  private let column: CollectionColumn
  private let link: LinkNames
  /// The quoted name of the join table.
  private let table: String
  private var changes: [MemberChange] = []
  private var owners: Set<Int64> = []
  /// The members that the changes insert into owned lists.
  private var owned: Set<Int64> = []

  /// Runs a statement with the values of the fields.
  private typealias Run = (String, [PostgreSQLType]) throws -> PostgreSQLResult

  /// The number of members that the changes insert.
  private var insertedCount = 0

  /// The numbers of changes, and of members that they insert, that are written together.
  private static let (limit, memberLimit) = (4_096, 65_536)

  package init(_ table: String, _ link: LinkNames, _ change: MemberChange) {
    (owner, column, self.link) = (change.owner, change.column, link)
    self.table = table.quoted
  }

  /// Whether a change can be written together with the others: each owner occurs once, and so does each
  /// member that an owned list takes from the list of another owner.
  package func accepts(_ change: MemberChange) -> Bool {
    guard changes.count < Self.limit, !owners.contains(change.ownerID) else { return false }
    let inserted = change.difference.inserted(of: change.after.targets)
    guard changes.isEmpty || insertedCount + inserted.count <= Self.memberLimit else {
      return false
    }
    return !column.isOwned || inserted.allSatisfy { !owned.contains($0) }
  }

  package func append(_ change: MemberChange) {
    changes.append(change)
    owners.insert(change.ownerID)
    let inserted = change.difference.inserted(of: change.after.targets)
    insertedCount += inserted.count
    if column.isOwned { owned.formUnion(inserted) }
  }

  /// Writes the changes, and removes them from the batch.
  ///
  /// - Parameters:
  ///   - fields: an empty or used buffer for the parameters.
  ///   - statement: returns the cached statement with some SQL and types of parameters.
  /// - Throws: ``PostgreSQLError``; `MagicError` with `.idsExhausted` for a list without free positions.
  package func write(
    on connection: PostgreSQLConnection, _ fields: PostgreSQLFields,
    _ statement: (String, [PostgreSQLType]) -> PostgreSQLStatement
  ) throws {
    defer {
      changes.removeAll()
      owners.removeAll()
      owned.removeAll()
      insertedCount = 0
    }
    try withoutActuallyEscaping(statement) { statement in
      let run: Run = { try connection.run(statement($0, $1), fields) }
      switch column.kind {
      case .list: try writeLists(fields, run)
      case .set: try writeSets(fields, run)
      case .dictionary: try writeDictionaries(on: connection, fields, statement)
      }
    }
  }

  // MARK: Lists

  private func writeLists(_ fields: PostgreSQLFields, _ run: Run) throws {
    if !owned.isEmpty {
      // A member of an owned list has one owner, and is in its list once.
      fields.removeAll()
      fields.append(integers: owned.sorted())
      _ = try run("DELETE FROM \(table) WHERE \"target\" = ANY($1)", [.bigint.array])
    }
    let stored = try storedLists(fields, run)
    var removed = JoinRows()
    var inserted = JoinRows()
    for change in changes {
      var list = ListWriter(stored[change.ownerID] ?? [])
      if case .list(let difference) = change.difference {
        guard let before = change.before else { continue }
        change.after.positions = try list.write(change.after.targets, before, difference)
      } else {
        change.after.positions = try list.append(change.after.targets)
      }
      let differences = list.differences
      for row in differences.removed { removed.append(change.ownerID, row.target, row.position) }
      for row in differences.inserted { inserted.append(change.ownerID, row.target, row.position) }
    }
    if !removed.isEmpty {
      fields.removeAll()
      fields.append(integers: removed.owners)
      fields.append(integers: removed.positions)
      _ = try run(
        "DELETE FROM \(table) AS link USING unnest($1, $2) AS removed (owner, position) "
          + "WHERE link.\"owner\" = removed.owner AND link.\"position\" = removed.position",
        [.bigint.array, .bigint.array])
    }
    guard !inserted.isEmpty else { return }
    fields.removeAll()
    fields.append(integers: inserted.owners)
    fields.append(integers: inserted.positions)
    fields.append(integers: inserted.targets)
    _ = try run(
      "INSERT INTO \(table) (\"owner\", \"position\", \"target\") SELECT * FROM unnest($1, $2, $3)",
      [.bigint.array, .bigint.array, .bigint.array])
  }

  /// Reads the stored members of the lists that may have some, each in its order, by owner.
  private func storedLists(
    _ fields: PostgreSQLFields, _ run: Run
  ) throws -> [Int64: [ListEntry]] {
    let wanted = changes.filter { !$0.isNew || column.isOwned }.map(\.ownerID)
    guard !wanted.isEmpty else { return [:] }
    fields.removeAll()
    fields.append(integers: wanted)
    let result = try run(
      "SELECT \"owner\", \"position\", \"target\" FROM \(table) WHERE \"owner\" = ANY($1) "
        + "ORDER BY \"owner\", \"position\"", [.bigint.array])
    var lists: [Int64: [ListEntry]] = [:]
    for row in 0..<result.count {
      lists[result.integer(row, 0), default: []].append(
        ListEntry(position: result.integer(row, 1), target: result.integer(row, 2)))
    }
    return lists
  }

  // MARK: Sets

  private func writeSets(_ fields: PostgreSQLFields, _ run: Run) throws {
    var removed = JoinRows()
    var inserted = JoinRows()
    for change in changes {
      if case .set(let members, _) = change.difference {
        for member in members { removed.append(change.ownerID, member) }
      }
      for member in change.difference.inserted(of: change.after.targets) {
        inserted.append(change.ownerID, member)
      }
    }
    if !removed.isEmpty {
      fields.removeAll()
      fields.append(integers: removed.owners)
      fields.append(integers: removed.targets)
      _ = try run(
        "DELETE FROM \(table) AS link USING unnest($1, $2) AS removed (owner, target) "
          + "WHERE link.\"owner\" = removed.owner AND link.\"target\" = removed.target",
        [.bigint.array, .bigint.array])
    }
    guard !inserted.isEmpty else { return }
    fields.removeAll()
    fields.append(integers: inserted.owners)
    fields.append(integers: inserted.targets)
    _ = try run(
      "INSERT INTO \(table) (\"owner\", \"target\") SELECT * FROM unnest($1, $2) "
        + "ON CONFLICT DO NOTHING", [.bigint.array, .bigint.array])
  }

  // MARK: Dictionaries

  private func writeDictionaries(
    on connection: PostgreSQLConnection, _ fields: PostgreSQLFields,
    _ statement: (String, [PostgreSQLType]) -> PostgreSQLStatement
  ) throws {
    // Unless another instance has replaced the member of the key.
    let delete = statement(
      "DELETE FROM \(table) WHERE \"owner\" = $1 AND \"target\" = $2 AND \"key\" = $3",
      [.bigint, .bigint, link.keyType])
    let insert = statement(
      "INSERT INTO \(table) (\"owner\", \"target\", \"key\") VALUES ($1, $2, $3) "
        + "ON CONFLICT (\"owner\", \"key\") DO UPDATE SET \"target\" = $2",
      [.bigint, .bigint, link.keyType])
    _ = try connection.pipelining([delete, insert]) { send in
      func run(
        _ statement: PostgreSQLStatement, _ index: Int, of list: LinkList, _ change: MemberChange
      ) throws {
        fields.removeAll()
        fields.append(integer: change.ownerID)
        fields.append(integer: list.targets[index])
        try change.encode(index, of: list, to: fields)
        try send(statement, fields)
      }
      for change in changes {
        var inserted = Array(change.after.targets.indices)
        if case .dictionary(let removed, let added) = change.difference {
          guard let before = change.before else { continue }
          for index in removed { try run(delete, before.start + index, of: before.list, change) }
          inserted = added
        }
        for index in inserted { try run(insert, index, of: change.after, change) }
      }
    }
  }
}

/// Join rows as arrays for a statement.
private struct JoinRows {
  var owners: [Int64] = []
  var targets: [Int64] = []
  /// Empty for a set.
  var positions: [Int64] = []

  var isEmpty: Bool { owners.isEmpty }

  mutating func append(_ owner: Int64, _ target: Int64, _ position: Int64? = nil) {
    owners.append(owner)
    targets.append(target)
    if let position { positions.append(position) }
  }
}
