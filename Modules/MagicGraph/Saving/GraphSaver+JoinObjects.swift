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
        let rows = try writtenEdits(edits)
        try JoinObjectWriter(captured, join, self, isRead: true)
          .edit(removing: rows.removed, inserting: rows.inserted)
        continue
      }
      // The collection of a new object that was not set changes nothing.
      guard captured.members.isChanged || captured.members.saved != nil,
        let change = try MemberCapture(captured, self).change()
      else { continue }
      change.after.positions = try write(change, captured, join)
    }
  }

  /// - Returns: the row IDs of the join objects of the members of a list, in their order; empty for
  ///   a set.
  private func write(
    _ change: MemberChange, _ captured: CapturedCollection, _ join: JoinType
  ) throws -> [Int64] {
    let targets = change.after.targets
    switch change.difference {
    case .insertAll:
      let writer = try JoinObjectWriter(
        captured, join, self, isRead: join.order != nil || captured.column.kind == .set)
      let isSet = captured.column.kind == .set
      let new = isSet ? targets.filter { !writer.contains($0) } : targets
      let rows = try writer.write(new.map { JoinObjectWriter.Entry(target: $0) }, removed: [])
      return isSet ? [] : rows
    case .set(let removed, let inserted):
      let writer = try JoinObjectWriter(captured, join, self, isRead: true)
      let new = inserted.filter { !writer.contains($0) }
      _ = try writer.write(
        new.map { JoinObjectWriter.Entry(target: $0) }, removed: writer.rows(of: removed))
      return []
    case .list(let difference):
      guard let before = change.before else { return [] }
      let (entries, removed) = entries(targets, before, difference)
      guard !difference.removed.isEmpty || !difference.inserted.isEmpty else {
        return entries.map { $0.rowID ?? 0 }
      }
      let isRead = !removed.isEmpty || join.order != nil
      return try JoinObjectWriter(captured, join, self, isRead: isRead)
        .write(entries, removed: removed)
    case .dictionary: return []
    }
  }

  /// Returns the members of a changed list with their join objects, and the join objects that no
  /// member has any more. A moved member keeps its join object.
  private func entries(
    _ targets: [Int64], _ before: LinkSlice, _ difference: ListDifference
  ) -> (entries: [JoinObjectWriter.Entry], removed: [Int64]) {
    let rows = before.list.positions[before.range]
    var released: [Int64: [Int64]] = [:]
    for place in difference.removed.reversed() {
      released[before.list.targets[before.start + place], default: []]
        .append(rows[before.start + place])
    }
    let removed = Set(difference.removed)
    var kept = (0..<before.count).lazy.filter { !removed.contains($0) }.makeIterator()
    var entries: [JoinObjectWriter.Entry] = []
    func keep(until count: Int) {
      while entries.count < count, let place = kept.next() {
        entries.append(
          JoinObjectWriter.Entry(
            target: targets[entries.count], rowID: rows[before.start + place], stays: true))
      }
    }
    for run in difference.inserted {
      keep(until: run.members.lowerBound)
      for target in targets[run.members] {
        entries.append(
          JoinObjectWriter.Entry(target: target, rowID: released[target]?.popLast()))
      }
    }
    keep(until: targets.count)
    return (entries, released.values.flatMap(\.self).sorted())
  }

  /// Returns whether a member has a row. One that another writer has deleted is removed from the
  /// collection in memory.
  func hasMember(_ rowID: Int64, _ captured: CapturedCollection) throws -> Bool {
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

  /// Captures a new join object.
  ///
  /// - Parameter links: the rows that its to-ones to the owner and the member refer to.
  func insert(_ holder: RetainedObjects, _ links: [(column: Int, row: Int64)]) throws {
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
