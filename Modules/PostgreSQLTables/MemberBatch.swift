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

  /// The number of members that the changes insert.
  private var insertedCount = 0

  /// The numbers of changes, and of members that they insert, that are written together.
  private static let (limit, memberLimit) = (4_096, 65_536)

  package init(_ table: String, _ link: LinkNames, _ change: MemberChange) {
    (owner, column, self.link) = (change.owner, change.column, link)
    self.table = table.quoted
  }

  /// Adds a change, if it can be written together with the others: each owner occurs once, and so does each
  /// member that an owned list takes from the list of another owner. An empty batch accepts every change.
  ///
  /// - Returns: false if the change was not added.
  package func add(_ change: MemberChange) -> Bool {
    guard changes.count < Self.limit, !owners.contains(change.ownerID) else { return false }
    let inserted = change.difference.inserted(of: change.after.targets)
    guard changes.isEmpty || insertedCount + inserted.count <= Self.memberLimit,
      owned.isDisjoint(with: inserted)
    else { return false }
    changes.append(change)
    owners.insert(change.ownerID)
    insertedCount += inserted.count
    if column.isOwned { owned.formUnion(inserted) }
    return true
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
      let run: Run = { sql, arrays in
        fields.removeAll()
        for array in arrays { fields.append(integers: array) }
        return try connection.run(statement(sql, arrays.map { _ in .bigint.array }), fields)
      }
      switch column.kind {
      case .list: try writeLists(run)
      case .set: try writeSets(run)
      case .dictionary: try writeDictionaries(on: connection, fields, statement)
      }
    }
  }

  /// Runs a statement whose parameters are arrays.
  private typealias Run = (_ sql: String, _ arrays: [[Int64]]) throws -> PostgreSQLResult

  /// Deletes the join rows with pairs of an owner and a value of another column.
  private func delete(
    _ owners: [Int64], _ column: String, _ values: [Int64], _ run: Run
  ) throws {
    guard !owners.isEmpty else { return }
    _ = try run(
      "DELETE FROM \(table) AS link USING unnest($1, $2) AS removed (owner, value) "
        + "WHERE link.\"owner\" = removed.owner AND link.\(column.quoted) = removed.value",
      [owners, values])
  }

  // MARK: Lists

  private func writeLists(_ run: Run) throws {
    if !owned.isEmpty {
      // A member of an owned list has one owner, and is in its list once.
      _ = try run("DELETE FROM \(table) WHERE \"target\" = ANY($1)", [owned.sorted()])
    }
    let stored = try storedLists(run)
    var (removed, inserted) = (JoinRows(), JoinRows())
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
    try delete(removed.owners, "position", removed.positions, run)
    guard !inserted.owners.isEmpty else { return }
    _ = try run(
      "INSERT INTO \(table) (\"owner\", \"position\", \"target\") SELECT * FROM unnest($1, $2, $3)",
      [inserted.owners, inserted.positions, inserted.targets])
  }

  /// Reads the stored members of the lists that may have some, each in its order, by owner.
  private func storedLists(_ run: Run) throws -> [Int64: [ListEntry]] {
    let wanted = changes.filter { !$0.isNew || column.isOwned }.map(\.ownerID)
    guard !wanted.isEmpty else { return [:] }
    let result = try run(
      "SELECT \"owner\", \"position\", \"target\" FROM \(table) WHERE \"owner\" = ANY($1) "
        + "ORDER BY \"owner\", \"position\"", [wanted])
    var lists: [Int64: [ListEntry]] = [:]
    for row in 0..<result.count {
      lists[result.integer(row, 0), default: []].append(
        ListEntry(position: result.integer(row, 1), target: result.integer(row, 2)))
    }
    return lists
  }

  // MARK: Sets

  private func writeSets(_ run: Run) throws {
    var (removed, inserted) = (JoinRows(), JoinRows())
    for change in changes {
      if case .set(let members, _) = change.difference {
        for member in members { removed.append(change.ownerID, member) }
      }
      for member in change.difference.inserted(of: change.after.targets) {
        inserted.append(change.ownerID, member)
      }
    }
    try delete(removed.owners, "target", removed.targets, run)
    guard !inserted.owners.isEmpty else { return }
    _ = try run(
      "INSERT INTO \(table) (\"owner\", \"target\") SELECT * FROM unnest($1, $2) "
        + "ON CONFLICT DO NOTHING", [inserted.owners, inserted.targets])
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

  mutating func append(_ owner: Int64, _ target: Int64, _ position: Int64? = nil) {
    owners.append(owner)
    targets.append(target)
    if let position { positions.append(position) }
  }
}
