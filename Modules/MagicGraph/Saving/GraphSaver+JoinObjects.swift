import MagicEngine
import MagicSchema

/// Collections through a join type. Their join rows are objects, which are saved like other objects.
extension GraphSaver {
  /// Writes the join objects of captured collections, whose members have rows.
  func writeJoinObjects(of written: [CapturedCollection]) throws {
    for captured in written {
      guard let join = try captured.column.joinType else { continue }
      try objects.flush()
      try objects.prepareTable(of: join.schema)
      if case .edited(let edits) = captured.members.members {
        try write(edits, captured, join)
        continue
      }
      // The collection of a new object that was not set changes nothing.
      guard captured.members.isChanged || captured.members.saved != nil,
        let change = try MemberCapture(captured, self).change()
      else { continue }
      change.after.positions = try write(change, captured, join)
    }
  }

  /// Writes the edits of a lazy collection. Inserted members are at the end.
  private func write(
    _ edits: CapturedEdits, _ captured: CapturedCollection, _ join: JoinType
  ) throws {
    let stored = try StoredJoinObjects(of: captured.ownerID, join, engine.reader)
    let all = stored.entries
    var entries = all
    var (nextInserted, nextRemoved) = (0, 0)
    for step in edits.steps {
      try cancellation.count()
      switch step {
      case .insert:
        if let row = row(of: edits.inserted[nextInserted]) {
          entries.append(StoredJoinObjects.Entry(target: row))
        }
        nextInserted += 1
      case .remove:
        if let row = row(of: edits.removed[nextRemoved]) { entries.removeAll { $0.target == row } }
        nextRemoved += 1
      case .removeAll: entries = []
      case .removeMatching(let filter):
        let rows = try engine.reader.rows(
          entries.map(\.target), of: captured.column.target, matching: filter)
        entries.removeAll { rows.contains($0.target) }
      // A collection through a join type is no dictionary.
      case .setValue, .removeValue: break
      }
    }
    if captured.column.kind == .set {
      var present = Set(entries.lazy.filter { $0.rowID != nil }.map(\.target))
      entries.removeAll { $0.rowID == nil && !present.insert($0.target).inserted }
    }
    let kept = Set(entries.compactMap(\.rowID))
    _ = try write(
      entries, removed: all.compactMap(\.rowID).filter { !kept.contains($0) }, stored, captured,
      join)
  }

  /// - Returns: the row IDs of the join objects of the members of a list, in their order; empty for
  ///   a set.
  private func write(
    _ change: MemberChange, _ captured: CapturedCollection, _ join: JoinType
  ) throws -> [Int64] {
    func stored(isNeeded: Bool) throws -> StoredJoinObjects {
      guard isNeeded, captured.state != .new else {
        return StoredJoinObjects(isNew: captured.state == .new)
      }
      return try StoredJoinObjects(of: captured.ownerID, join, engine.reader)
    }
    let targets = change.after.targets
    switch change.difference {
    case .insertAll:
      let isSet = captured.column.kind == .set
      let stored = try stored(isNeeded: join.order != nil || isSet)
      let new = isSet ? targets.filter { !stored.contains($0) } : targets
      let rows = try write(
        new.map { StoredJoinObjects.Entry(target: $0) }, removed: [], stored, captured, join)
      return isSet ? [] : rows
    case .set(let removed, let inserted):
      let stored = try stored(isNeeded: true)
      let new = inserted.filter { !stored.contains($0) }
      _ = try write(
        new.map { StoredJoinObjects.Entry(target: $0) }, removed: stored.rows(of: removed), stored,
        captured, join)
      return []
    case .list(let difference):
      guard let before = change.before else { return [] }
      let (entries, removed) = entries(targets, before, difference)
      guard !difference.removed.isEmpty || !difference.inserted.isEmpty else {
        return entries.map { $0.rowID ?? 0 }
      }
      let stored = try stored(isNeeded: !removed.isEmpty || join.order != nil)
      return try write(entries, removed: removed, stored, captured, join)
    case .dictionary: return []
    }
  }

  /// Returns the members of a changed list with their join objects, and the join objects that no
  /// member has any more. A moved member keeps its join object.
  private func entries(
    _ targets: [Int64], _ before: LinkSlice, _ difference: ListDifference
  ) -> (entries: [StoredJoinObjects.Entry], removed: [Int64]) {
    let rows = before.list.positions[before.range]
    var released: [Int64: [Int64]] = [:]
    for place in difference.removed.reversed() {
      released[before.list.targets[before.start + place], default: []]
        .append(rows[before.start + place])
    }
    let removed = Set(difference.removed)
    var kept = (0..<before.count).lazy.filter { !removed.contains($0) }.makeIterator()
    var entries: [StoredJoinObjects.Entry] = []
    func keep(until count: Int) {
      while entries.count < count, let place = kept.next() {
        entries.append(
          StoredJoinObjects.Entry(
            target: targets[entries.count], rowID: rows[before.start + place], stays: true))
      }
    }
    for run in difference.inserted {
      keep(until: run.members.lowerBound)
      for target in targets[run.members] {
        entries.append(
          StoredJoinObjects.Entry(target: target, rowID: released[target]?.popLast()))
      }
    }
    keep(until: targets.count)
    return (entries, released.values.flatMap(\.self).sorted())
  }

  // MARK: Rows

  /// Writes the difference from the stored collection.
  ///
  /// - Parameter removed: the row IDs of join objects to be deleted.
  /// - Returns: the row IDs of the join objects of the members, in their order; 0 for a member whose
  ///   row does not exist.
  private func write(
    _ entries: [StoredJoinObjects.Entry], removed: [Int64], _ stored: StoredJoinObjects,
    _ captured: CapturedCollection, _ join: JoinType
  ) throws -> [Int64] {
    for rowID in removed {
      guard let object = stored[rowID] else { continue }
      try delete(join.schema.makeRetainedObject(from: object.row), rowID)
    }
    var entries = entries.map { stored.current($0) }
    var orders: [Int?]?
    if let column = join.order {
      let new = stored.orders(for: entries, without: Set(removed))
      orders = new.entries
      for (object, order) in new.changes { try set(order, column, of: object.row) }
    }
    var inserted: [(place: Int, object: RetainedObjects)] = []
    for (place, entry) in entries.enumerated() where entry.rowID == nil {
      try cancellation.count()
      guard try hasMember(entry.target, captured) else { continue }
      let object = join.schema.makeNewObject()
      if let column = join.order, let order = orders?[place] {
        object[0].property(column).boxForChange(Int.self).store(order)
      }
      try insert(object, [(join.owner, captured.ownerID), (join.target, entry.target)])
      inserted.append((place, object))
    }
    try captureReservedRows()
    // The rows of the join objects are needed until then.
    try withExtendedLifetime(stored) { try objects.flush() }
    for (place, object) in inserted {
      entries[place].rowID = object[0].identity(inTransactionOf: store)?.zIndex.rawValue
    }
    return entries.map { $0.rowID ?? 0 }
  }

  /// Returns whether a member has a row. One that another writer has deleted is removed from the
  /// collection in memory.
  private func hasMember(_ rowID: Int64, _ captured: CapturedCollection) throws -> Bool {
    let target = try captured.column.target
    if try hasReserved(rowID, of: target) || engine.hasRow(rowID, of: target) { return true }
    let (column, store) = (captured.column, store)
    objects.log.onCommit {
      let row = RowIdentity(store: store, zIndex: ZIndex(rawValue: rowID))
      column.drop(from: captured.property) { $0.identity == row }
      column.releaseRetainCycle(captured.property)
    }
    return false
  }

  private func delete(_ holder: RetainedObjects, _ rowID: Int64) throws {
    objects.captureDeletion(of: holder[0], ZIndex(rawValue: rowID))
    if objects.isFull { try objects.flush() }
  }

  /// Captures the order of a stored join object.
  private func set(_ order: Int, _ column: Int, of row: PackedRow) throws {
    let holder = row.chunk.schema.makeRetainedObject(from: row)
    retain(holder)
    holder[0].property(column).boxForChange(Int.self).store(order)
    var columns = ColumnSet()
    columns.insert(column)
    try objects.captureUpdate(
      holder[0], ZIndex(rawValue: row.zIndex), columns, holder: holder, isRoot: false)
  }

  /// Captures a new join object.
  ///
  /// - Parameter links: the rows that its to-ones to the owner and the member refer to.
  private func insert(_ holder: RetainedObjects, _ links: [(column: Int, row: Int64)]) throws {
    let object = holder[0]
    retain(holder)
    visited.insert(object.instanceKey)
    let toOnes = try object.schema.toOnes.map { toOne in
      guard let link = links.first(where: { $0.column == toOne.column }) else {
        return try captureLink(toOne.schema, toOne.column, of: object, isLogged: false)
      }
      return CapturedLink(
        .kept(LazyTarget(store: store, zIndex: link.row)), saved: nil, isChanged: true)
    }
    frames.append(
      Frame(object: object, holder: holder, toOnes: toOnes, isRoot: false, place: nil))
    try drainQueue()
  }
}
