import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Writes the difference between a collection in memory and its links in the database.
struct LinkWriter {
  let job: LinkJob
  let saver: GraphSaver
  let column: CollectionColumn
  let statements: LinkStatements
  private let memberSchema: ObjectSchema
  private let store: StoreConnection

  init(_ job: LinkJob, saver: GraphSaver) throws {
    self.job = job
    self.saver = saver
    column = job.owner.collections[job.collection]
    memberSchema = try column.target
    store = saver.transaction.store
    statements = try saver.transaction.statements(of: job.owner).links[job.collection]
  }

  /// The members that have rows, as they are now.
  private struct Present {
    var targets: [Int64] = []
    /// For each, its place in the collection: not all of it may be present.
    var places: [Int] = []
    /// For each, where it was fetched to, if nobody has changed the collection.
    var rows: [PackedRow] = []
    var hasDropped = false
    let keys: (any LinkKeys)?
  }

  func write() throws {
    guard var present = try present() else { return }
    if job.state != .new { try saver.buffer(of: statements).flush() }
    if column.kind == .set { present.targets = Self.distinct(present.targets) }
    let saved = try job.state == .saved ? job.members.saved : readSaved()
    var keys = present.keys?.makeEmpty()
    if let all = present.keys { for place in present.places { keys?.append(place, of: all) } }
    var positions: [Int64] = []

    switch column.kind {
    case .list: positions = try writeList(present.targets, saved)
    case .set: try writeSet(present.targets, saved)
    case .dictionary: keys = try writeDictionary(present.targets, keys, saved)
    }
    let list = CollectionLinks(column, target: memberSchema, keys: keys)
    list.targets = present.targets
    list.positions = positions
    // A value that nobody has read yet is still to be made of them.
    list.rows = present.rows
    saver.transaction.log.note(
      column.noteSaved(LinkSlice(list, start: 0, count: list.targets.count), in: job.property))
    if present.hasDropped { saver.dropGone(from: job) }
    if column.staysInGraph {
      saver.transaction.log.drop { [column, job] in column.releaseRetainCycle(job.property) }
    }
  }

  /// - Returns: nil where the links are what they were.
  private func present() throws -> Present? {
    switch job.members.members {
    case .unset, .kept, .lost: return nil
    case .fetched(let slice):
      // Nobody has changed the collection; a member may have been removed and saved again.
      guard
        job.state != .saved
          || zip(slice.rows, slice.targets).contains(where: { row, target in
            saver.isOther(row, than: target)
          })
      else { return nil }
      var present = Present(keys: slice.list.keys)
      for (index, row) in slice.rows.enumerated() {
        let held = row.existingRecord.map { _ in row.chunk.schema.hold(row) }
        let isPresent = withExtendedLifetime(held) {
          add(held.map { $0[0] }, row.zIndex, place: slice.start + index, to: &present)
        }
        if isPresent { present.rows.append(row) }
      }
      return present
    case .objects(let objects, let keys):
      var present = Present(keys: keys)
      present.targets.reserveCapacity(objects.count)
      present.places.reserveCapacity(objects.count)
      for index in 0..<objects.count {
        _ = add(objects[index], nil, place: index, to: &present)
      }
      if job.state == .saved, !job.members.isChanged, let saved = job.members.saved,
        saved.targets.elementsEqual(present.targets)
      {
        return nil
      }
      return present
    }
  }

  /// - Returns: whether the member has a row.
  private func add(
    _ object: ObjectReference?, _ zIndex: Int64?, place: Int, to present: inout Present
  ) -> Bool {
    var target = zIndex
    if let object { target = saver.row(of: object) }
    guard let target else {
      present.hasDropped = true
      return false
    }
    present.targets.append(target)
    present.places.append(place)
    return true
  }

  // MARK: Sets

  private func writeSet(_ targets: [Int64], _ saved: LinkSlice?) throws {
    guard let saved, saved.count > 0 else { return try insertAll(targets, keys: nil) }
    let (old, new) = Self.trimmed(saved.targets, targets)
    let wanted = Set(new)
    let present = Set(old)
    for target in old where !wanted.contains(target) { try delete(target) }
    for target in new where !present.contains(target) { try insert(target) }
  }

  /// Objects of a set may have become one since they were inserted; the links of a set are distinct.
  private static func distinct(_ targets: [Int64]) -> [Int64] {
    var known = Set<Int64>(minimumCapacity: targets.count)
    for target in targets { known.insert(target) }
    guard known.count < targets.count else { return targets }
    known.removeAll(keepingCapacity: true)
    return targets.filter { known.insert($0).inserted }
  }

  /// What is left of two collections without what they have in common at both ends.
  private static func trimmed(
    _ old: ArraySlice<Int64>, _ new: [Int64]
  ) -> (ArraySlice<Int64>, ArraySlice<Int64>) {
    var old = old
    var new = new[...]
    while let first = old.first, first == new.first {
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, last == new.last {
      old.removeLast()
      new.removeLast()
    }
    return (old, new)
  }

  // MARK: Dictionaries

  /// A key that was saved keeps its stored form: another text can be the same key to Swift.
  ///
  /// - Returns: the keys as they are stored.
  private func writeDictionary(
    _ targets: [Int64], _ keys: (any LinkKeys)?, _ saved: LinkSlice?
  ) throws -> (any LinkKeys)? {
    guard let keys else { return nil }
    guard let saved, saved.count > 0, let old = saved.list.keys else {
      try insertAll(targets, keys: keys)
      return keys
    }
    let places = old.places(of: keys, start: saved.start, count: saved.count)
    var kept = Set<Int>()
    for case let place? in places { kept.insert(place) }
    for index in saved.range where !kept.contains(index) {
      try delete(saved.list.targets[index]) { try bind(old, index, to: $0) }
    }
    let stored = keys.makeEmpty()
    for (index, place) in places.enumerated() {
      if let place {
        stored.append(place, of: old)
      } else {
        stored.append(index, of: keys)
      }
      if place.map({ saved.list.targets[$0] == targets[index] }) ?? false { continue }
      try insert(targets[index]) { try bind(stored, index, to: $0) }
    }
    return stored
  }

  private func bind(_ keys: any LinkKeys, _ index: Int, to statement: SQLiteStatement) throws {
    do {
      var writer = ParameterWriter(statement: statement, index: 3, arena: store.arena)
      try keys.write(index, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: job.owner, collection: column, row: job.zIndex)
    }
  }

  // MARK: Rows

  func insert(_ target: Int64, third: (SQLiteStatement) throws -> Void = { _ in }) throws {
    try run(statements.insert, target, third)
    try saver.noteWritten(target, of: memberSchema, in: job)
  }

  /// - Returns: whether there was such a link.
  @discardableResult
  func delete(
    _ target: Int64, third: (SQLiteStatement) throws -> Void = { _ in }
  ) throws -> Bool {
    try run(statements.delete, target, third)
    return store.connection.changes > 0
  }

  /// Runs a statement for the owner and a member; the third parameter is bound by the caller.
  private func run(
    _ statement: SQLiteStatement, _ target: Int64, _ third: (SQLiteStatement) throws -> Void
  ) throws {
    store.arena.reset()
    try statement.bind(job.zIndex, at: 1)
    try statement.bind(target, at: 2)
    try third(statement)
    _ = try statement.step()
    statement.reset()
  }

  /// Inserts the links of a collection that has none.
  func insertAll(_ targets: [Int64], keys: (any LinkKeys)?, positions: [Int64] = []) throws {
    guard let keys else {
      let buffer = saver.buffer(of: statements)
      for (index, target) in targets.enumerated() {
        try buffer.add(
          owner: job.zIndex, target: target, position: positions.isEmpty ? nil : positions[index])
        try saver.noteWritten(target, of: memberSchema, in: job)
      }
      // The links of a row that was there are read again maybe; those of new rows can wait.
      if job.state != .new { try buffer.flush() }
      return
    }
    for (index, target) in targets.enumerated() {
      if job.state == .new {
        try insertNew(target) { try bind(keys, index, to: $0) }
      } else {
        try insert(target) { try bind(keys, index, to: $0) }
      }
    }
  }

  /// Inserts a link of a dictionary that has no other with its key.
  private func insertNew(_ target: Int64, key: (SQLiteStatement) throws -> Void) throws {
    do {
      try run(statements.insertNew, target, key)
    } catch let error as SQLiteError where error.code == .constraint {
      throw MagicError(
        .cannotEncode, "Two keys of the dictionary have one stored form.",
        type: job.owner.typeName, property: column.property, cause: error)
    }
    try saver.noteWritten(target, of: memberSchema, in: job)
  }

  /// The links that the owner's row has in the database.
  private func readSaved() throws -> LinkSlice? {
    guard job.state == .taken else { return nil }
    let list = CollectionLinks(column, target: memberSchema, keys: column.makeKeys())
    let select = try statements.selectOne
    defer { select.reset() }
    try select.bind(job.zIndex, at: 1)
    while try select.step() {
      list.targets.append(try target(select.column(1)))
      if column.kind == .list { list.positions.append(select.column(2).integer) }
      try list.keys?.append(select.column(2), of: column, job.owner, owner: job.zIndex)
    }
    return LinkSlice(list, start: 0, count: list.targets.count)
  }

  /// The target of a link in the file.
  func target(_ column: SQLiteColumn) throws -> Int64 {
    guard let target = column.rowKey else {
      throw MagicError.brokenReference(from: job.zIndex, of: job.owner, self.column, to: nil)
    }
    return target
  }
}
