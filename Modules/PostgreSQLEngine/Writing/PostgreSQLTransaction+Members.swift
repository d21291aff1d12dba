package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import Magical
import PostgreSQLTables

/// Writes the members of collections.
extension PostgreSQLTransaction {
  package func apply(_ changes: [MemberChange]) throws {
    hasUncheckedReferences = true
    // The join rows of new owners, by join table, are inserted together, and so are other changes.
    var batches: [String: JoinRowBatch] = [:]
    var others: [String: MemberBatch] = [:]
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
        let batch = others[table] ?? MemberBatch(table, link, change)
        others[table] = batch
        while !batch.add(change) { try flush(batch) }
      }
    }
    for batch in batches.values { try flush(batch) }
    for batch in others.values { try flush(batch) }
  }

  private func flush(_ batch: MemberBatch) throws {
    let session = session
    try translatingErrors(batch.owner) {
      try batch.write(on: session.connection, session.fields) { session.statement($0, $1) }
    }
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
}
