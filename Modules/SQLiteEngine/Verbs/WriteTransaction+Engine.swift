package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteTables

extension WriteTransaction: EngineTransaction {
  package func hasCurrentTable(of schema: ObjectSchema) throws -> Bool {
    if case .current = try store.table(of: schema) { true } else { false }
  }

  package var reservesOneByOne: Bool {
    get throws {
      if let known = store.rowIDs.hasUserTriggers { return known }
      return try mapping {
        try store.rowIDs.readTriggers(Catalogue(connection: store.connection))
      }
    }
  }

  /// How far apart row IDs are that are reserved ahead in a file with triggers of users: these may
  /// insert rows in between.
  private static var gap: Int64 { 1 << 20 }

  package func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64 {
    let table = store.rowIDs.table(of: schema)
    if let last = store.rowIDs.last(ofTable: table) {
      guard last < Int64.max else { throw idsExhausted(schema) }
      store.rowIDs.set(last + 1, ofTable: table)
      return last + 1
    }
    return try mapping(schema) { try readRowID(of: schema, table, isAhead: isAhead) }
  }

  private func readRowID(of schema: ObjectSchema, _ table: Int, isAhead: Bool) throws -> Int64 {
    let catalogue = Catalogue(connection: store.connection)
    let hasTriggers = try store.rowIDs.readTriggers(catalogue)
    let (inTable, highWater) = try catalogue.zIndexes(of: schema)
    let last = max(inTable, highWater)
    guard last < Int64.max else { throw idsExhausted(schema) }
    guard hasTriggers, isAhead else {
      store.rowIDs.set(last + 1, ofTable: table)
      store.rowIDs.setEnd(inTable, ofTable: table)
      return last + 1
    }
    let (far, overflow) = max(last, reservedAhead[table] ?? 0).addingReportingOverflow(Self.gap)
    let rowID = overflow ? last + 1 : far
    reservedAhead[table] = rowID
    return rowID
  }

  private func idsExhausted(_ schema: ObjectSchema) -> MagicError {
    MagicError(.idsExhausted, "The table has given out its last z-index.", type: schema.typeName)
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    try mapping(schema) { try hasRow(rowID, statements(of: schema)) }
  }

  package func apply(_ changes: [MemberChange]) throws {
    let buffers = LinkBuffers()
    for change in changes {
      try mapping(change.owner) {
        let links = try statements(of: change.owner).links[change.collection]
        try MemberWriter(change, links, store, buffers).write()
      }
    }
    try mapping { try buffers.flush() }
  }

  package func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice {
    try mapping(schema) {
      let column = schema.collections[collection]
      let list = CollectionLinks(column, target: try column.target, keys: column.makeKeys())
      let select = try statements(of: schema).links[collection].selectOne
      defer { select.reset() }
      try select.bind(owner, at: 1)
      while try select.step() {
        guard let target = select.column(1).rowKey else {
          throw MagicError.brokenReference(from: owner, of: schema, column, to: nil)
        }
        list.targets.append(target)
        if column.kind == .list { list.positions.append(select.column(2).integer) }
        try list.keys?.append(select.column(2), of: column, schema, owner: owner)
      }
      return LinkSlice(list, start: 0, count: list.targets.count)
    }
  }

  package var hasBrokenReferences: Bool { store.connection.hasViolations }

  package func removeBrokenMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> [Int64] {
    try mapping(schema) {
      let links = try statements(of: schema).links[collection]
      let select = try links.selectMissing(statements(of: schema.collections[collection].target))
      try select.bind(owner, at: 1)
      var missing: [Int64] = []
      while try select.step() {
        if let target = select.column(0).rowKey { missing.append(target) }
      }
      select.reset()
      for target in missing {
        let delete = try links.deleteTarget
        try delete.bind(owner, at: 1)
        try delete.bind(target, at: 2)
        _ = try delete.step()
        delete.reset()
      }
      return missing
    }
  }

  package func makeLease() -> StoreKeeper? { store.makeLease() }
}
