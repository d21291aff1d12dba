import MagicEngine
import MagicRuntime
import MagicSchema

extension GraphSaver {
  /// Goes on to the members of a collection, whose join rows are written when they have their rows.
  func follow(_ captured: CapturedCollection) throws {
    let column = captured.column
    var captured = captured
    if let lazy = captured.members.lazy, try !takesMembers(&captured, lazy) { return }
    let isLeaf = try !column.target.reach.hasRelationships
    switch captured.members.members {
    case .unset:
      throw MagicError.withoutValue(column, captured.owner)
    case .objects(let objects, _):
      if isLeaf {
        for index in 0..<objects.count {
          try cancellation.count()
          try visit(objects[index], holder: objects, isRoot: false)
        }
      } else if objects.count > 0 {
        waiting.append(.objects(objects, 0))
      }
    case .fetched(let slice):
      if isLeaf {
        for row in slice.rows {
          try cancellation.count()
          try visit(row)
        }
      } else if slice.count > 0 {
        waiting.append(.rows(slice, 0))
      }
    case .kept, .lost: return
    }
    collections.append(captured)
  }

  /// Writes the join rows of the collections that were captured.
  func writeCollections() throws {
    guard !collections.isEmpty else { return }
    try objects.flush()
    var changes: [MemberChange] = []
    for captured in collections {
      // What is stored for an owner that was there is read when all before it is written.
      if !changes.isEmpty, captured.state == .taken || changes.count >= Self.collectionLimit {
        try engine.apply(changes)
        changes.removeAll(keepingCapacity: true)
      }
      guard let change = try MemberCapture(captured, self).change() else { continue }
      changes.append(change)
    }
    collections.removeAll(keepingCapacity: true)
    if !changes.isEmpty { try engine.apply(changes) }
  }

  /// Whether a fetched row's object is another row now than the one that was stored, or none.
  func isOther(_ row: PackedRow, than stored: Int64) -> Bool {
    guard let record = row.existingRecord else { return false }
    return record.identity(inTransactionOf: store)
      != RowIdentity(store: store, zIndex: ZIndex(rawValue: stored))
      || record.pending(in: store) == .removed(store)
  }
}
