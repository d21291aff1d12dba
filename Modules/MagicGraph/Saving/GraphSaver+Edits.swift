import MagicEngine
import MagicSchema

/// Edits of lazy collections, whose members are not loaded.
extension GraphSaver {
  /// Edits of members or of keys, without those that remove several members.
  private struct EditBatch {
    /// The members, each with the index of its edit; nil for a member without a row.
    var inserted: [(row: Int64, index: Int)] = []
    var removed: [Int64] = []
    var lastRemoval: [Int64: Int] = [:]
    /// The new members of keys, and the keys to remove. Each key occurs once.
    var values: [Int64] = []
    var keys: (any LinkKeys)?
    var removedKeys: [any LinkKeys] = []

    /// Adds the new member of a key. A key whose member has no row is removed.
    mutating func setValue(_ row: Int64?, forKey key: any LinkKeys) {
      guard let row else { return removedKeys.append(key) }
      values.append(row)
      if keys == nil { keys = key.makeEmpty() }
      keys?.append(0, of: key)
    }
  }

  /// Writes the edits of a collection. All earlier changes were written.
  func write(_ edits: CapturedEdits, _ captured: CapturedCollection) throws {
    let (owner, collection) = (captured.ownerID, captured.collection)
    var batch = EditBatch()
    var (nextInserted, nextRemoved) = (0, 0)
    func insertedRow() -> Int64? {
      defer { nextInserted += 1 }
      return row(of: edits.inserted[nextInserted])
    }
    for (index, step) in edits.steps.enumerated() {
      try cancellation.count()
      switch step {
      case .insert:
        if let row = insertedRow() { batch.inserted.append((row, index)) }
      case .remove:
        if let row = row(of: edits.removed[nextRemoved]),
          batch.lastRemoval.updateValue(index, forKey: row) == nil
        {
          batch.removed.append(row)
        }
        nextRemoved += 1
      case .setValue(let key): batch.setValue(insertedRow(), forKey: key)
      case .removeValue(let key): batch.removedKeys.append(key)
      case .removeAll:
        // The edits before it are not captured.
        try engine.removeAllMembers(of: owner, in: collection, of: captured.owner)
      case .removeMatching(let filter):
        try write(batch, captured)
        batch = EditBatch()
        let stored = try engine.storedMembers(of: owner, in: collection, of: captured.owner)
        let rows = try engine.reader.rows(
          stored.targets, of: captured.column.target, matching: filter)
        try engine.removeMembers(rows.sorted(), of: owner, in: collection, of: captured.owner)
      }
    }
    try write(batch, captured)
  }

  private func write(_ batch: EditBatch, _ captured: CapturedCollection) throws {
    if !batch.removed.isEmpty {
      try engine.removeMembers(
        batch.removed, of: captured.ownerID, in: captured.collection, of: captured.owner)
    }
    let inserted = batch.inserted.filter { $0.index > batch.lastRemoval[$0.row] ?? -1 }.map(\.row)
    var changes = [try removal(of: batch.removedKeys, captured)]
    changes.append(try insertion(of: inserted, keys: nil, captured))
    changes.append(try insertion(of: batch.values, keys: batch.keys, captured))
    try engine.apply(changes.compactMap { $0 })
  }

  /// Returns the change that removes keys of a dictionary, or nil if it has none of them.
  private func removal(
    of keys: [any LinkKeys], _ captured: CapturedCollection
  ) throws -> MemberChange? {
    let (column, target) = (captured.column, try captured.column.target)
    let before = LinkList(column, target: target, keys: column.makeKeys())
    for key in keys {
      let member = try engine.reader.member(
        forKey: key, of: captured.ownerID, in: captured.collection, of: captured.owner)
      guard let member else { continue }
      before.targets.append(member)
      before.keys?.append(0, of: key)
    }
    let count = before.targets.count
    guard count > 0 else { return nil }
    return MemberChange(
      owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
      isNew: false, before: LinkSlice(before, start: 0, count: count),
      after: LinkList(column, target: target, keys: column.makeKeys()),
      difference: .dictionary(removed: Array(0..<count), inserted: []))
  }

  /// Returns the change that inserts members at the end of a collection, or nil for no members. Keys
  /// that a dictionary has already get other members.
  private func insertion(
    of members: [Int64], keys: (any LinkKeys)?, _ captured: CapturedCollection
  ) throws -> MemberChange? {
    let (column, target) = (captured.column, try captured.column.target)
    var members = members
    // A member of an owned list has one position: the last one.
    if column.isOwned { members = MemberCapture.distinct(members.reversed()).reversed() }
    if column.kind == .set { members = MemberCapture.distinct(members) }
    guard !members.isEmpty else { return nil }
    let existing = members.filter { !hasReserved($0, of: target) }
    if !existing.isEmpty {
      memberships.append(
        WrittenMembers(
          owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
          property: captured.property, inserted: existing))
    }
    let after = LinkList(column, target: target, keys: keys)
    after.targets = members
    return MemberChange(
      owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
      isNew: false, before: nil, after: after, difference: .insertAll)
  }
}
