import MagicEngine
import MagicSchema

/// Compares a collection in memory with what is stored of it.
struct MemberCapture {
  private let captured: CapturedCollection
  private let saver: GraphSaver
  private let column: CollectionColumn
  private let target: ObjectSchema

  init(_ captured: CapturedCollection, _ saver: GraphSaver) throws {
    self.captured = captured
    self.saver = saver
    column = captured.column
    target = try column.target
  }

  /// The members that have rows, as they are now.
  private struct Present {
    var targets: [Int64] = []
    /// For each, its place in the collection: not all of it may be present.
    var places: [Int] = []
    /// For each, where it was fetched to, if the collection was not changed.
    var rows: [PackedRow] = []
    var hasDropped = false
    let keys: (any LinkKeys)?
  }

  /// The change to be written; nil where the members are what is stored.
  func change() throws -> MemberChange? {
    guard var present = try present() else { return nil }
    if column.kind == .set { present.targets = Self.distinct(present.targets) }
    var before =
      captured.state == .taken
      ? try saver.engine.storedMembers(
        of: captured.ownerID, in: captured.collection, of: captured.owner)
      : captured.state == .saved ? captured.members.saved : nil
    if before?.count == 0 { before = nil }
    var keys = present.keys?.makeEmpty()
    if let all = present.keys { for place in present.places { keys?.append(place, of: all) } }

    let difference: MemberDifference
    switch (column.kind, before) {
    case (_, nil): difference = .insertAll
    case (.list, let before?):
      difference = .list(
        before.targets.withUnsafeBufferPointer { old in
          present.targets.withUnsafeBufferPointer { ListDifference(from: old, to: $0) }
        })
    case (.set, let before?):
      let (removed, inserted) = Self.setDifference(before.targets, present.targets)
      difference = .set(removed: removed, inserted: inserted)
    case (.dictionary, let before?):
      guard let new = keys, let old = before.list.keys else { return nil }
      let stored = new.makeEmpty()
      difference = Self.dictionaryDifference(before, old, present.targets, new, stored: stored)
      keys = stored
    }

    let after = CollectionLinks(column, target: target, keys: keys)
    after.targets = present.targets
    // A value that was not read yet is still to be made of them.
    after.rows = present.rows
    note(after, difference, hasDropped: present.hasDropped)
    if before == nil, after.targets.isEmpty { return nil }
    return MemberChange(
      owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
      isNew: captured.state == .new, before: before, after: after, difference: difference)
  }

  /// Notes in memory what will be stored.
  private func note(
    _ after: CollectionLinks, _ difference: MemberDifference, hasDropped: Bool
  ) {
    let (property, column) = (captured.property, column)
    saver.objects.log.note(
      column.recordSaved(LinkSlice(after, start: 0, count: after.targets.count), in: property))
    if hasDropped {
      // The saver keeps the objects that it knows by their instances.
      saver.objects.log.onCommit { [saver] in column.drop(from: property) { saver.isGone($0) } }
    }
    if column.staysInGraph {
      saver.objects.log.onCommit { column.releaseRetainCycle(property) }
    }
    let inserted = difference.inserted(of: after.targets)
      .filter { !saver.hasReserved($0, of: target) }
    if !inserted.isEmpty {
      saver.memberships.append(
        WrittenMembers(
          owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
          property: property, inserted: inserted))
    }
  }

  /// - Returns: nil where the join rows are what they were.
  private func present() throws -> Present? {
    switch captured.members.members {
    case .unset, .kept, .lost: return nil
    case .fetched(let slice):
      // The collection was not changed; a member may have been removed and saved again.
      guard
        captured.state != .saved
          || zip(slice.rows, slice.targets).contains(where: { row, target in
            saver.isOther(row, than: target)
          })
      else { return nil }
      var present = Present(keys: slice.list.keys)
      for (index, row) in slice.rows.enumerated() {
        let held = row.existingRecord.map { _ in row.chunk.schema.makeRetainedObject(from: row) }
        let rowID = withExtendedLifetime(held) {
          held.map { saver.row(of: $0[0]) } ?? row.zIndex
        }
        if Self.add(rowID, place: slice.start + index, to: &present) { present.rows.append(row) }
      }
      return present
    case .objects(let objects, let keys):
      var present = Present(keys: keys)
      present.targets.reserveCapacity(objects.count)
      present.places.reserveCapacity(objects.count)
      for index in 0..<objects.count {
        try saver.cancellation.count()
        _ = Self.add(saver.row(of: objects[index]), place: index, to: &present)
      }
      if captured.state == .saved, !captured.members.isChanged,
        let saved = captured.members.saved, saved.targets.elementsEqual(present.targets)
      {
        return nil
      }
      return present
    }
  }

  /// - Returns: whether the member has a row.
  private static func add(_ rowID: Int64?, place: Int, to present: inout Present) -> Bool {
    guard let rowID else {
      present.hasDropped = true
      return false
    }
    present.targets.append(rowID)
    present.places.append(place)
    return true
  }
}
