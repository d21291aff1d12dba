import MagicEngine
import MagicSchema

/// Compares a collection in memory with its stored members.
struct MemberCapture {
  private let captured: CapturedCollection
  private let saver: GraphSaver
  private let column: CollectionColumn
  private let target: ObjectSchema
  /// The stored members, if they were read together with those of other collections.
  private let stored: LinkSlice?

  init(
    _ captured: CapturedCollection, _ saver: GraphSaver, stored: LinkSlice? = nil
  ) throws {
    self.captured = captured
    self.saver = saver
    self.stored = stored
    column = captured.column
    target = try column.target
  }

  /// The members that have rows now.
  private struct CurrentMembers {
    var targets: [Int64] = []
    /// The index of each member in the collection. Members without rows are skipped.
    var places: [Int] = []
    /// The fetched row of each member, if the collection was not changed.
    var rows: [PackedRow] = []
    var hasDropped = false
    let keys: (any LinkKeys)?
  }

  /// Returns the change to be written, or nil if the members equal the stored ones.
  func change() throws -> MemberChange? {
    if captured.state == .new, captured.members.isEmpty {
      let links = LinkSlice(saver.emptyList(of: column, target), start: 0, count: 0)
      saver.objects.log.note(column.recordSaved(links, in: captured.property))
      return nil
    }
    guard var current = try currentMembers() else { return nil }
    if column.kind == .set { current.targets = Self.distinct(current.targets) }
    if column.isOwned { try requireDistinct(current.targets) }
    var before =
      captured.state == .matched
      ? try stored
        ?? saver.engine.storedMembers(
          of: captured.ownerID, in: captured.collection, of: captured.owner)
      : captured.state == .saved ? captured.members.saved : nil
    if before?.count == 0 { before = nil }
    var keys = current.keys
    if let all = current.keys, current.places.count < all.count {
      keys = all.makeEmpty()
      for place in current.places { keys?.append(place, of: all) }
    }

    let difference: MemberDifference
    switch (column.kind, before) {
    case (_, nil): difference = .insertAll
    case (.list, let before?):
      difference = .list(
        before.targets.withUnsafeBufferPointer { old in
          current.targets.withUnsafeBufferPointer { ListDifference(from: old, to: $0) }
        })
    case (.set, let before?):
      let (removed, inserted) = Self.setDifference(before.targets, current.targets)
      difference = .set(removed: removed, inserted: inserted)
    case (.dictionary, let before?):
      guard let new = keys, let old = before.list.keys else { return nil }
      let stored = new.makeEmpty()
      difference = Self.dictionaryDifference(before, old, current.targets, new, stored: stored)
      keys = stored
    }

    let after = LinkList(column, target: target, keys: keys)
    after.targets = current.targets
    // Used if the value of the collection has not been created yet.
    after.rows = current.rows
    let isUnchanged = captured.state == .matched && column.through == nil && difference.isEmpty
    if isUnchanged, let before, column.kind == .list {
      after.positions = Array(before.list.positions[before.range])
    }
    recordSaved(after, difference, hasDropped: current.hasDropped)
    if isUnchanged || (before == nil && after.targets.isEmpty) { return nil }
    return MemberChange(
      owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
      isNew: captured.state == .new, before: before, after: after, difference: difference)
  }

  /// - Throws: `MagicError` with `.notUnique` if an owned list contains a member twice.
  private func requireDistinct(_ targets: [Int64]) throws {
    guard !Self.areDistinct(targets) else { return }
    throw MagicError(
      .notUnique,
      "The owned list contains an object twice. A member of an owned list has one position: remove "
        + "the object, or declare the list without .owned. Nothing was written.",
      type: captured.owner.typeName, property: column.property)
  }

  /// Records in memory the members that will be stored.
  private func recordSaved(
    _ after: LinkList, _ difference: MemberDifference, hasDropped: Bool
  ) {
    let (property, column) = (captured.property, column)
    saver.objects.log.note(
      column.recordSaved(LinkSlice(after, start: 0, count: after.targets.count), in: property))
    if hasDropped {
      // The saver retains the objects whose instance keys it uses.
      saver.objects.log.onCommit { [saver] in column.drop(from: property) { saver.isDeleted($0) } }
    }
    if column.staysInGraph {
      saver.objects.log.onCommit { column.releaseRetainCycle(property) }
    }
    // The to-ones of join objects are checked instead.
    if column.through != nil { return }
    let inserted = difference.inserted(of: after.targets)
      .filter { !saver.hasReserved($0, of: target) }
    if !inserted.isEmpty {
      saver.memberships.append(
        WrittenMembers(
          owner: captured.owner, collection: captured.collection, ownerID: captured.ownerID,
          property: property, inserted: inserted))
    }
  }

  /// - Returns: nil if the join rows are unchanged.
  private func currentMembers() throws -> CurrentMembers? {
    switch captured.members.members {
    case .unset, .kept, .lost, .edited: return nil
    case .fetched(let slice):
      // The collection was not changed, but a member may have been deleted and saved again.
      guard
        captured.state != .saved
          || zip(slice.rows, slice.targets).contains(where: { row, target in
            saver.hasOtherRow(row, than: target)
          })
      else { return nil }
      var current = CurrentMembers(keys: slice.list.keys)
      for (index, row) in slice.rows.enumerated() {
        let held = row.existingRecord.map { _ in row.chunk.schema.makeRetainedObject(from: row) }
        let rowID = withExtendedLifetime(held) {
          held.map { saver.row(of: $0[0]) } ?? row.zIndex
        }
        if Self.add(rowID, place: slice.start + index, to: &current) { current.rows.append(row) }
      }
      return current
    case .objects(let objects, let keys):
      var current = CurrentMembers(keys: keys)
      current.targets.reserveCapacity(objects.count)
      current.places.reserveCapacity(objects.count)
      for index in 0..<objects.count {
        try saver.cancellation.count()
        _ = Self.add(saver.row(of: objects[index]), place: index, to: &current)
      }
      if captured.state == .saved, !captured.members.isChanged,
        let saved = captured.members.saved, saved.targets.elementsEqual(current.targets)
      {
        return nil
      }
      return current
    }
  }

  /// - Returns: whether the member has a row.
  private static func add(_ rowID: Int64?, place: Int, to current: inout CurrentMembers) -> Bool {
    guard let rowID else {
      current.hasDropped = true
      return false
    }
    current.targets.append(rowID)
    current.places.append(place)
    return true
  }
}
