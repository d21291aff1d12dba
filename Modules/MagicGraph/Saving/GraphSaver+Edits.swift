import MagicEngine
import MagicSchema

/// Edits of lazy collections, whose members are not loaded.
extension GraphSaver {
  /// Returns the rows that edits remove, and then insert.
  func writtenEdits(_ edits: CapturedEdits) throws -> (removed: [Int64], inserted: [Int64]) {
    var lastRemoval: [Int64: Int] = [:]
    var removed: [Int64] = []
    var inserted: [(row: Int64, index: Int)] = []
    var (nextRemoved, nextInserted) = (0, 0)
    for (index, isRemoval) in edits.removals.enumerated() {
      try cancellation.count()
      if isRemoval {
        if let row = row(of: edits.removed[nextRemoved]) {
          if lastRemoval.updateValue(index, forKey: row) == nil { removed.append(row) }
        }
        nextRemoved += 1
      } else {
        if let row = row(of: edits.inserted[nextInserted]) { inserted.append((row, index)) }
        nextInserted += 1
      }
    }
    return (removed, inserted.filter { $0.index > lastRemoval[$0.row] ?? -1 }.map(\.row))
  }

  /// Returns the change that inserts members at the end of a collection, or nil for no members.
  func insertion(of members: [Int64], _ captured: CapturedCollection) throws -> MemberChange? {
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
    let after = LinkList(column, target: target, keys: nil)
    after.targets = members
    return MemberChange(
      owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
      isNew: false, before: nil, after: after, difference: .insertAll)
  }
}
