package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteTables

extension WriteTransaction {
  /// An empty changeset, whose memory the saves of this transaction reuse.
  package var changeset: Changeset { store.changeset }

  package func hasCurrentTable(of schema: ObjectSchema) throws -> Bool {
    if store.hasStatements(of: schema) { return true }
    return try translatingErrors(schema) {
      if case .current = try store.table(of: schema) { true } else { false }
    }
  }

  package var reservesOneByOne: Bool {
    get throws {
      if let cached = store.rowIDs.hasUserTriggers { return cached }
      return try translatingErrors {
        try store.rowIDs.readTriggers(Catalogue(connection: store.connection))
      }
    }
  }

  /// The distance between the last row ID and a row ID that is reserved ahead, in a file with
  /// triggers of users. The triggers may insert rows in between.
  private static var gap: Int64 { 1 << 10 }

  package func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64 {
    let table = store.rowIDs.table(of: schema)
    if let last = store.rowIDs.last(ofTable: table) {
      guard last < store.rowIDs.limit else { throw idsExhausted(schema) }
      store.rowIDs.set(last + 1, ofTable: table)
      if isAhead { noteAhead(last + 1, inTable: table) }
      return last + 1
    }
    return try translatingErrors(schema) { try readRowID(of: schema, table, isAhead: isAhead) }
  }

  private func readRowID(of schema: ObjectSchema, _ table: Int, isAhead: Bool) throws -> Int64 {
    let catalogue = Catalogue(connection: store.connection)
    let hasTriggers = try store.rowIDs.readTriggers(catalogue)
    let range = try store.rowIDs.readRange(catalogue)
    let (inTable, highWater) = try catalogue.zIndexes(of: schema, in: range)
    var last = max(inTable, highWater, range.base)
    if !hasTriggers, let ahead = lastAhead(inTable: table) { last = max(last, ahead) }
    guard last < range.last else { throw idsExhausted(schema) }
    let isNext = inTable >= highWater && !range.isShared
    nextInTable = (isNext ? inTable + 1 : 0, Int32(truncatingIfNeeded: table))
    guard hasTriggers, isAhead else {
      store.rowIDs.set(last + 1, ofTable: table)
      store.rowIDs.setEnd(inTable, ofTable: table)
      if isAhead { noteAhead(last + 1, inTable: table) }
      return last + 1
    }
    let (far, overflow) = max(last, lastAhead(inTable: table) ?? 0).addingReportingOverflow(
      Self.gap)
    let rowID = overflow || far > range.last ? last + 1 : far
    noteAhead(rowID, inTable: table)
    return rowID
  }

  private func idsExhausted(_ schema: ObjectSchema) -> MagicError {
    MagicError(.idsExhausted, "The table has used its highest row ID.", type: schema.typeName)
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    try translatingErrors(schema) { try hasRow(rowID, statements(of: schema)) }
  }

  package func apply(_ changes: [MemberChange]) throws {
    let buffers = LinkBuffers()
    for change in changes {
      try translatingErrors(change.owner) {
        let links = try statements(of: change.owner).links[change.collection]
        let placedCount =
          change.column.isOwned ? placed.take(change.column, owner: change.ownerID) : 0
        try MemberWriter(change, links, store, buffers, placedCount: placedCount).write()
      }
    }
    try translatingErrors { try buffers.flush() }
    if buffers.missesMembers { missesMembers = true }
  }

  package func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice {
    try translatingErrors(schema) {
      let column = schema.collections[collection]
      let list = LinkList(column, target: try column.target, keys: column.makeKeys())
      let select = try statements(of: schema).links[collection].selectOne
      defer { select.reset() }
      try select.bind(owner, at: 1)
      while try select.step() {
        guard let target = select.column(1).rowKey else {
          throw MagicError.brokenReference(from: owner, of: schema, column, to: nil)
        }
        list.targets.append(target)
        if column.kind == .list { list.positions.append(select.column(2).integer) }
        try list.keys?.append(
          ColumnReader(column: select.column(2)), of: column, schema, owner: owner)
      }
      return LinkSlice(list, start: 0, count: list.targets.count)
    }
  }

  package var hasBrokenReferences: Bool { store.connection.hasViolations || missesMembers }

  package func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    try translatingErrors(schema) {
      let delete = try statements(of: schema).links[collection].deleteTarget
      for member in members {
        try delete.bind(owner, at: 1)
        try delete.bind(member, at: 2)
        _ = try delete.step()
        delete.reset()
      }
    }
  }

  package func removeAllMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    try translatingErrors(schema) {
      let delete = try statements(of: schema).links[collection].deleteAll
      try delete.bind(owner, at: 1)
      defer { delete.reset() }
      _ = try delete.step()
    }
  }

  package func makeLease() -> StoreLease? { store.makeLease() }
}
