package import MagicEngine
import MagicSQLite
import Magical
package import MagicSchema
import SQLiteTables

extension StoreConnection {
  /// Fetches the join rows of collections, without the rows of their members.
  package func fetch(
    _ plan: LinkPlan, of schema: ObjectSchema, into links: inout FetchedLinks,
    isWanted: (Int64) -> Bool
  ) throws {
    guard let statements = try joinStatements(of: schema, links.collection) else { return }
    let select: SQLiteStatement
    switch plan {
    case .owners(let owners):
      guard !owners.rowIDs.isEmpty else { return }
      select = try owners.bound(
        .links,
        one: { try statements.selectOne }, range: { try statements.selectRange },
        listed: { try statements.selectListed })
    case .reached(let start):
      select = try statements.selectReached
      try select.bind(start.json, at: 1)
    }
    defer { select.reset() }
    guard case .reached = plan else {
      return try read(select, of: schema, into: &links, isWanted)
    }
    try withCancellationCheck { try read(select, of: schema, into: &links, isWanted) }
  }

  private func read(
    _ select: SQLiteStatement, of schema: ObjectSchema, into links: inout FetchedLinks,
    _ isWanted: (Int64) -> Bool
  ) throws {
    var cancellation = CancellationCheck()
    let kind = links.column.kind
    var owner = LinkOwner()
    var isOwnerWanted = false
    while try select.step() {
      try cancellation.count()
      if owner.advance(to: select.column(0)) {
        isOwnerWanted = owner.isRow && isWanted(owner.zIndex)
      }
      guard isOwnerWanted else { continue }
      let target = select.column(1)
      guard target.isInteger else {
        throw MagicError.brokenReference(from: owner.zIndex, of: schema, links.column, to: nil)
      }
      digest?.add(select, 0..<(kind == .set ? 2 : 3))
      links.append(
        FetchedLinks.Link(
          owner: owner.zIndex, target: target.integer,
          position: kind == .list ? select.column(2).integer : 0))
      try links.keys?.append(
        ColumnReader(column: select.column(2)), of: links.column, schema, owner: owner.zIndex)
    }
  }

  /// Returns the statements of a collection; nil if its join table does not exist.
  func joinStatements(of schema: ObjectSchema, _ collection: Int) throws -> LinkStatements? {
    guard let links = try statements(of: schema)?.links[collection], try exists(links) else {
      return nil
    }
    return links
  }

  /// Whether the join table of a collection exists. The table of a join type may be created later
  /// than that of the owner.
  ///
  /// - Throws: ``MigrationRequired`` if the table of the join type is outdated; `MagicError` with
  ///   `.needsMigration` if it is outdated in a read-only file.
  func exists(_ links: LinkStatements) throws -> Bool {
    guard let join = links.names.joinType else { return links.exists }
    guard let statements = try statements(of: join.schema) else { return false }
    let schema = join.schema
    for index in [join.owner, join.target] + (join.order.map { [$0] } ?? []) {
      let name = schema.columns[index].name
      guard statements.expressions[index] != name.quoted else { continue }
      throw MagicError(
        .needsMigration,
        "Table \(schema.tableName) needs a migration, but the database is read-only: a relationship "
          + "uses the column \(name), which the table does not have. Open the database for writing to "
          + "migrate the table.",
        type: schema.typeName, property: schema.columns[index].property)
    }
    return true
  }

  /// Whether the owners of a relationship can be read: not if the table of its join type does not
  /// exist.
  func hasJoinType(of property: PropertySchema) throws -> Bool {
    guard let join = try (property as? CollectionColumn)?.joinType else { return true }
    return try statements(of: join.schema) != nil
  }

  /// Returns the number of members in an owner's collection.
  package func countMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int {
    guard let count = try joinStatements(of: schema, collection)?.count else { return 0 }
    defer { count.reset() }
    try count.bind(owner, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }

  /// Whether an owner's collection contains a member.
  package func hasMember(
    _ target: Int64, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    guard let statement = try joinStatements(of: schema, collection)?.hasTarget else {
      return false
    }
    defer { statement.reset() }
    try statement.bind(owner, at: 1)
    try statement.bind(target, at: 2)
    return try statement.step()
  }

  /// Returns the member of a key in an owner's dictionary.
  package func member(
    forKey key: any LinkKeys, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    guard let statement = try joinStatements(of: schema, collection)?.selectKey else { return nil }
    defer { statement.reset() }
    try statement.bind(owner, at: 1)
    arena.reset()
    do {
      var writer = ParameterWriter(statement: statement, index: 2, arena: arena)
      try key.write(0, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(
        error, schema: schema, collection: schema.collections[collection], row: owner)
    }
    guard try statement.step() else { return nil }
    guard let target = statement.column(0).rowKey else {
      throw MagicError.brokenReference(
        from: owner, of: schema, schema.collections[collection], to: nil)
    }
    return target
  }

  /// Whether an owner's list has a given member at a position.
  package func hasMember(
    _ place: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    guard let hasLink = try joinStatements(of: schema, collection)?.hasLink else { return false }
    defer { hasLink.reset() }
    try hasLink.bind(owner, at: 1)
    try hasLink.bind(place.position, at: 2)
    try hasLink.bind(place.target, at: 3)
    return try hasLink.step()
  }

  /// Returns, among the positions of a member in an owner's list, the nearest one to a given
  /// position.
  package func nearestPosition(
    to place: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    guard let nearest = try joinStatements(of: schema, collection)?.nearest else { return nil }
    defer { nearest.reset() }
    try nearest.bind(owner, at: 1)
    try nearest.bind(place.target, at: 2)
    try nearest.bind(place.position, at: 3)
    return try nearest.step() ? nearest.column(0).integer : nil
  }
}
