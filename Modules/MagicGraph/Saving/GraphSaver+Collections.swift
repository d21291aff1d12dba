import MagicEngine
import MagicRuntime
import MagicSchema

extension GraphSaver {
  /// Visits the members of a collection. Its join rows are written after all members have rows.
  func visitMembers(_ captured: CapturedCollection) throws {
    let column = captured.column
    if let lazy = captured.members.lazy, try !mustSaveMembers(captured, lazy) { return }
    let isLeaf = try !column.target.reach.hasRelationships
    switch captured.members.members {
    case .unset:
      // A collection through a join type that was not set keeps the stored join objects.
      if column.through != nil { return }
      throw MagicError.withoutValue(column, captured.owner)
    case .objects(let objects, _):
      // The stored members were not loaded, so they must be read.
      if captured.state == .saved, captured.members.saved == nil { captured.state = .matched }
      let place = firstPlace(in: captured)
      if isLeaf {
        defer { leaves = nil }
        for index in 0..<objects.count {
          try cancellation.count()
          if self.objects.lookAhead != nil { leaves = (objects, index + 1) }
          try visit(objects[index], holder: objects, isRoot: false, place: place?.at(index))
        }
      } else if objects.count > 0 {
        queue.append(.objects(objects, 0, place))
      }
    case .fetched(let slice):
      if isLeaf {
        for row in slice.rows {
          try cancellation.count()
          try visit(row)
        }
      } else if slice.count > 0 {
        queue.append(.rows(slice, 0))
      }
    case .edited(let edits):
      if isLeaf {
        for index in 0..<edits.inserted.count {
          try cancellation.count()
          try visit(edits.inserted[index], holder: edits.inserted, isRoot: false)
        }
      } else if edits.inserted.count > 0 {
        queue.append(.objects(edits.inserted, 0))
      }
    case .kept, .lost:
      guard captured.state == .saved else {
        throw MagicError.notInMemory(captured.column, captured.owner)
      }
      return
    }
    collections.append(captured)
  }

  /// Writes the join rows of the captured collections.
  func writeCollections() throws {
    guard !collections.isEmpty else { return }
    try objects.flush()
    // Rows of members may be deleted with their join rows.
    objects.lookAhead?.rows.removeAll()
    var changes: [MemberChange] = []
    var joined: [CapturedCollection] = []
    var stored = StoredMembers(of: collections, engine)
    for (index, captured) in collections.enumerated() {
      guard captured.column.through == nil else {
        joined.append(captured)
        continue
      }
      let members = try stored.members(ofCollectionAt: index)
      let mustRead = captured.state == .matched && members == nil
      // The stored members of an existing row are read after all earlier changes are written.
      if !changes.isEmpty, mustRead || changes.count >= Self.collectionLimit {
        try engine.apply(changes)
        changes.removeAll(keepingCapacity: true)
      }
      if case .edited(let edits) = captured.members.members {
        if !changes.isEmpty { try engine.apply(changes) }
        changes.removeAll(keepingCapacity: true)
        try write(edits, captured)
        stored.noteChange(of: captured.column)
        continue
      }
      guard let change = try MemberCapture(captured, self, stored: members).change() else {
        continue
      }
      stored.noteChange(of: captured.column)
      changes.append(change)
    }
    collections.removeAll(keepingCapacity: true)
    if !changes.isEmpty { try engine.apply(changes) }
    guard !joined.isEmpty else { return }
    try writeJoinObjects(of: joined)
    // Join objects can have collections of their own.
    try writeCollections()
  }

  /// Returns whether the object of a fetched row now has another row than the stored one, or none.
  func hasOtherRow(_ row: PackedRow, than stored: Int64) -> Bool {
    guard let record = row.existingRecord else { return false }
    return record.identity(inTransactionOf: store)
      != RowIdentity(store: store, zIndex: ZIndex(rawValue: stored))
      || record.pending(in: store) == .removed(store)
  }
}
