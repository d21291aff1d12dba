import MagicEngine
import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Writes the changes of a collection to its join rows.
struct MemberWriter {
  let change: MemberChange
  let column: CollectionColumn
  let statements: LinkStatements
  let store: StoreConnection
  private let buffers: LinkBuffers
  /// The number of members of an owned list that were inserted with their places.
  private let placedCount: Int

  init(
    _ change: MemberChange, _ statements: LinkStatements, _ store: StoreConnection,
    _ buffers: LinkBuffers, placedCount: Int
  ) {
    self.placedCount = placedCount
    self.change = change
    self.statements = statements
    self.store = store
    self.buffers = buffers
    column = change.column
  }

  func write() throws {
    if !change.isNew, !column.isOwned { try buffers.buffer(of: statements).flush() }
    let after = change.after
    switch change.difference {
    case .insertAll:
      if column.kind == .list {
        after.positions = try positionsAfterLast(after.targets.count)
      }
      try insertAll(after.targets, keys: after.keys, positions: after.positions)
    case .list(let difference):
      guard let before = change.before else { return }
      after.positions = try writeList(after.targets, before, difference)
    case .set(let removed, let inserted):
      for target in removed { try delete(target) }
      for target in inserted { try insert(target) }
    case .dictionary(let removed, let inserted):
      guard let before = change.before, let old = before.list.keys, let keys = after.keys else {
        return
      }
      for place in removed {
        let index = before.start + place
        try delete(before.list.targets[index]) { try bind(old, index, to: $0) }
      }
      for index in inserted { try insert(after.targets[index]) { try bind(keys, index, to: $0) } }
    }
  }

  private func bind(_ keys: any LinkKeys, _ index: Int, to statement: SQLiteStatement) throws {
    do {
      var writer = ParameterWriter(statement: statement, index: 3, arena: store.arena)
      try keys.write(index, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: change.owner, collection: column, row: change.ownerID)
    }
  }

  func insert(_ target: Int64, third: (SQLiteStatement) throws -> Void = { _ in }) throws {
    try run(statements.insert, target, third)
    // The row of the member was deleted. The member is then removed from the list in memory.
    if column.isOwned, store.connection.changes == 0 { buffers.missesMembers = true }
  }

  /// - Returns: whether the join row existed.
  @discardableResult
  func delete(
    _ target: Int64, third: (SQLiteStatement) throws -> Void = { _ in }
  ) throws -> Bool {
    try run(statements.delete, target, third)
    return store.connection.changes > 0
  }

  /// Runs a statement for the owner and a member. The caller binds the third parameter.
  private func run(
    _ statement: SQLiteStatement, _ target: Int64, _ third: (SQLiteStatement) throws -> Void
  ) throws {
    try buffers.checkCancellation()
    store.arena.reset()
    try statement.bind(change.ownerID, at: 1)
    try statement.bind(target, at: 2)
    try third(statement)
    _ = try statement.step()
    statement.reset()
  }

  /// Inserts the join rows of an empty collection.
  func insertAll(_ targets: [Int64], keys: (any LinkKeys)?, positions: [Int64] = []) throws {
    guard !column.isOwned else {
      // All members have their places already.
      if change.isNew, placedCount == targets.count { return }
      for (target, position) in zip(targets, positions) {
        try insert(target) { try $0.bind(position, at: 3) }
      }
      return
    }
    guard let keys else {
      let buffer = buffers.buffer(of: statements)
      for (index, target) in targets.enumerated() {
        try buffers.checkCancellation()
        try buffer.add(
          owner: change.ownerID, target: target,
          position: positions.isEmpty ? nil : positions[index])
      }
      // The join rows of an existing row may be read again in this save; those of a new row can be
      // inserted later.
      if !change.isNew { try buffer.flush() }
      return
    }
    for (index, target) in targets.enumerated() {
      if change.isNew {
        try insertNew(target) { try bind(keys, index, to: $0) }
      } else {
        try insert(target) { try bind(keys, index, to: $0) }
      }
    }
  }

  /// Inserts a join row of a dictionary without other members. A key that occurs twice is an error.
  private func insertNew(_ target: Int64, key: (SQLiteStatement) throws -> Void) throws {
    do {
      try run(statements.insertNew, target, key)
    } catch let error as SQLiteError where error.code == .constraint {
      throw MagicError(
        .cannotEncode, "Two keys of the dictionary have the same stored value.",
        type: change.owner.typeName, property: column.property, cause: error)
    }
  }

  /// Reads the target of a stored join row.
  func target(_ column: SQLiteColumn) throws -> Int64 {
    guard let target = column.rowKey else {
      throw MagicError.brokenReference(from: change.ownerID, of: change.owner, self.column, to: nil)
    }
    return target
  }
}
