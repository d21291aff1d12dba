package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import Magical
import PostgreSQLTables

/// Writes the members of collections.
extension PostgreSQLTransaction {
  package func apply(_ changes: [MemberChange]) throws {
    hasUncheckedReferences = true
    // The join rows of new owners, by join table, are inserted together.
    var batches: [String: JoinRowBatch] = [:]
    for change in changes {
      try Task.checkCancellation()
      let link = try statements(of: change.owner).links[change.collection]
      guard let table = link.joinTable else { continue }
      note(written: table)
      note(written: change.owner.tableName)
      if case .insertAll = change.difference, change.isNew, !change.column.isOwned {
        let batch = batches[table] ?? JoinRowBatch(table, link, change)
        batches[table] = batch
        try batch.append(change)
        if batch.isFull { try flush(batch) }
      } else {
        if let batch = batches[table] { try flush(batch) }
        try translatingErrors(change.owner) { try write(change, link, table) }
      }
    }
    for batch in batches.values { try flush(batch) }
  }

  private func flush(_ batch: JoinRowBatch) throws {
    do {
      try batch.send(on: session.connection)
    } catch let error as PostgreSQLError {
      guard error.sqlState == "23505", batch.column.kind == .dictionary else {
        throw batch.owner.error(error)
      }
      throw MagicError(
        .cannotEncode, "Two keys of the dictionary have the same stored value.",
        type: batch.owner.typeName, property: batch.column.property, cause: error)
    }
  }

  package func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice {
    try storedMembers(ofEach: [owner], in: collection, of: schema)[0]
  }

  package func storedMembers(
    ofEach owners: [Int64], in collection: Int, of schema: ObjectSchema
  ) throws -> [LinkSlice] {
    let column = schema.collections[collection]
    let target = try column.target
    let wanted = RowIDSet(owners)
    var links = FetchedLinks(collection, of: schema)
    try reader.fetch(.owners(wanted), of: schema, into: &links) { wanted.contains($0) }
    // The join rows of an owner follow each other, in the order of the collection.
    var rows: [Int64: Range<Int>] = [:]
    for (index, link) in links.links.enumerated() {
      rows[link.owner] = (rows[link.owner]?.lowerBound ?? index)..<index + 1
    }
    return owners.map { owner in
      let list = LinkList(column, target: target, keys: column.makeKeys())
      let range = rows[owner] ?? 0..<0
      list.targets = links.links[range].map(\.target)
      if column.kind == .list { list.positions = links.links[range].map(\.position) }
      if let keys = links.keys { list.keys?.append(range, of: keys) }
      return LinkSlice(list, start: 0, count: range.count)
    }
  }

  package func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    try remove(members, of: owner, in: collection, of: schema)
  }

  package func removeAllMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    try remove(nil, of: owner, in: collection, of: schema)
  }

  private func remove(
    _ members: [Int64]?, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    guard let table = try statements(of: schema).links[collection].joinTable else { return }
    note(written: table)
    note(written: schema.tableName)
    session.fields.removeAll()
    session.fields.append(integer: owner)
    if let members { session.fields.append(integers: members) }
    let condition = members == nil ? "" : " AND \"target\" = ANY($2)"
    _ = try session.run(
      session.statement(
        "DELETE FROM \(table.quoted) WHERE \"owner\" = $1\(condition)",
        members == nil ? [.bigint] : [.bigint, .bigint.array]), schema)
  }

  // MARK: One collection

  private func write(_ change: MemberChange, _ link: LinkNames, _ table: String) throws {
    let after = change.after
    if change.column.isOwned {
      // A member of an owned list has one owner, and is in its list once.
      let inserted = change.difference.inserted(of: after.targets)
      _ = try session.run(
        "DELETE FROM \(table.quoted) WHERE \"target\" = ANY($1)", inserted, change.owner)
    }
    switch change.difference {
    case .insertAll where change.column.kind == .list:
      var list = ListWriter(try members(change, table))
      after.positions = try list.append(after.targets)
      try write(list, change, table)
    case .list(let difference):
      guard let before = change.before else { return }
      var list = ListWriter(try members(change, table))
      after.positions = try list.write(after.targets, before, difference)
      try write(list, change, table)
    case .insertAll where change.column.kind == .dictionary:
      try insertKeys(Array(after.targets.indices), change, link, table)
    case .insertAll: try insertTargets(after.targets, change, table)
    case .set(let removed, let inserted):
      try removeMembers(removed, of: change.ownerID, in: change.collection, of: change.owner)
      try insertTargets(inserted, change, table)
    case .dictionary(let removed, let inserted):
      guard let before = change.before else { return }
      try removeKeys(removed.map { before.start + $0 }, before.list, change, link, table)
      try insertKeys(inserted, change, link, table)
    }
  }

  /// The stored members of a list, in its order.
  private func members(_ change: MemberChange, _ table: String) throws -> [ListEntry] {
    guard !change.isNew || change.column.isOwned else { return [] }
    session.fields.removeAll()
    session.fields.append(integer: change.ownerID)
    let statement = session.statement(
      "SELECT \"position\", \"target\" FROM \(table.quoted) WHERE \"owner\" = $1 "
        + "ORDER BY \"position\"", [.bigint])
    let result = try session.run(statement, change.owner)
    return (0..<result.count).map {
      ListEntry(position: result.integer($0, 0), target: result.integer($0, 1))
    }
  }

  /// Writes the differences of a list.
  private func write(_ list: ListWriter, _ change: MemberChange, _ table: String) throws {
    let (removed, inserted) = list.differences
    let fields = session.fields
    if !removed.isEmpty {
      fields.removeAll()
      fields.append(integer: change.ownerID)
      fields.append(integers: removed.map(\.position))
      _ = try session.run(
        session.statement(
          "DELETE FROM \(table.quoted) WHERE \"owner\" = $1 AND \"position\" = ANY($2)",
          [.bigint, .bigint.array]), change.owner)
    }
    guard !inserted.isEmpty else { return }
    fields.removeAll()
    fields.append(integer: change.ownerID)
    fields.append(integers: inserted.map(\.position))
    fields.append(integers: inserted.map(\.target))
    _ = try session.run(
      session.statement(
        "INSERT INTO \(table.quoted) (\"owner\", \"position\", \"target\") "
          + "SELECT $1, * FROM unnest($2, $3)", [.bigint, .bigint.array, .bigint.array]),
      change.owner)
  }

  private func insertTargets(
    _ targets: [Int64], _ change: MemberChange, _ table: String
  ) throws {
    guard !targets.isEmpty else { return }
    session.fields.removeAll()
    session.fields.append(integer: change.ownerID)
    session.fields.append(integers: targets)
    _ = try session.run(
      session.statement(
        "INSERT INTO \(table.quoted) (\"owner\", \"target\") SELECT $1, unnest($2) "
          + "ON CONFLICT DO NOTHING", [.bigint, .bigint.array]), change.owner)
  }

  private func insertKeys(
    _ indexes: [Int], _ change: MemberChange, _ link: LinkNames, _ table: String
  ) throws {
    let insert = session.statement(
      "INSERT INTO \(table.quoted) (\"owner\", \"target\", \"key\") VALUES ($1, $2, $3) "
        + "ON CONFLICT (\"owner\", \"key\") DO UPDATE SET \"target\" = $2",
      [.bigint, .bigint, link.keyType])
    try send(insert, indexes, change.after, change)
  }

  /// Deletes the join rows with keys, unless another instance has replaced their members.
  private func removeKeys(
    _ indexes: [Int], _ list: LinkList, _ change: MemberChange, _ link: LinkNames, _ table: String
  ) throws {
    let delete = session.statement(
      "DELETE FROM \(table.quoted) WHERE \"owner\" = $1 AND \"target\" = $2 AND \"key\" = $3",
      [.bigint, .bigint, link.keyType])
    try send(delete, indexes, list, change)
  }

  /// Runs a statement for each of some members of a dictionary: owner, target and key.
  private func send(
    _ statement: PostgreSQLStatement, _ indexes: [Int], _ list: LinkList, _ change: MemberChange
  ) throws {
    guard !indexes.isEmpty else { return }
    _ = try session.connection.pipelining([statement]) { send in
      for index in indexes {
        session.fields.removeAll()
        session.fields.append(integer: change.ownerID)
        session.fields.append(integer: list.targets[index])
        try change.encode(index, of: list, to: session.fields)
        try send(statement, session.fields)
      }
    }
  }
}

extension MemberChange {
  /// Appends the key of a member of a dictionary.
  ///
  /// - Throws: `MagicError` with `.cannotEncode`.
  func encode(_ index: Int, of list: LinkList, to fields: PostgreSQLFields) throws {
    do {
      var writer = FieldWriter(fields: fields)
      try list.keys?.write(index, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: owner, collection: column, row: ownerID)
    }
  }
}
