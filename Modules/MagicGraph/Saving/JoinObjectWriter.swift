import MagicEngine
import MagicSchema

/// Writes the join objects of one owner's collection.
struct JoinObjectWriter {
  private let captured: CapturedCollection
  private let join: JoinType
  private let saver: GraphSaver
  /// The stored join objects of the owner, in the order of the collection. Empty if they were not
  /// read.
  private let stored: [StoredJoin]
  private let isRead: Bool
  private var places: [Int64: Int] = [:]

  /// A stored join object.
  private struct StoredJoin {
    let row: PackedRow
    let target: Int64
    let order: Int?
  }

  /// A member of the new collection.
  struct Entry {
    let target: Int64
    /// The row ID of its join object; nil for a new one.
    var rowID: Int64?
    /// Whether the join object keeps its place.
    var stays = false
  }

  /// - Parameter isRead: whether the stored join objects are needed.
  init(
    _ captured: CapturedCollection, _ join: JoinType, _ saver: GraphSaver, isRead: Bool
  ) throws {
    self.captured = captured
    self.join = join
    self.saver = saver
    self.isRead = isRead
    stored = isRead && captured.state != .new ? try Self.stored(captured, join, saver) : []
    for (place, object) in stored.enumerated() { places[object.row.zIndex] = place }
  }

  private static func stored(
    _ captured: CapturedCollection, _ join: JoinType, _ saver: GraphSaver
  ) throws -> [StoredJoin] {
    let rows = try saver.engine.reader.fetch(
      .owners(
        of: captured.ownerID, along: join.schema.columns[join.owner], after: nil, limit: .max),
      of: join.schema, graph: nil, isWanted: nil)
    for chunk in rows.chunks { saver.retain(chunk) }
    let objects = rows.chunks.flatMap { chunk in (0..<chunk.rowCount).map { chunk.row($0) } }
      .filter { !$0.isNull(join.target) }
      .map { row in
        // The slot of a to-one has the row ID, because the relationships are not loaded.
        StoredJoin(
          row: row, target: row.slot(join.target).load(as: Int64.self),
          order: join.order.map { row.slot($0).load(as: Int.self) })
      }
    return join.order == nil
      ? objects
      : objects.sorted { ($0.order ?? 0, $0.row.zIndex) < ($1.order ?? 0, $1.row.zIndex) }
  }

  /// Writes the difference from the stored collection.
  ///
  /// - Returns: the row IDs of the join objects of the members, in their order; 0 for a member whose
  ///   row does not exist.
  func write(_ entries: [Entry], removed: [Int64]) throws -> [Int64] {
    for rowID in removed { try delete(rowID) }
    var entries = entries.map { entry in
      var entry = entry
      // A join object that another writer has deleted is inserted again where it was moved.
      if isRead, !entry.stays, let rowID = entry.rowID, places[rowID] == nil { entry.rowID = nil }
      return entry
    }
    let orders = join.order == nil ? [] : try reorder(entries, without: Set(removed))
    var inserted: [(place: Int, object: RetainedObjects)] = []
    for (place, entry) in entries.enumerated() where entry.rowID == nil {
      try saver.cancellation.count()
      guard try saver.hasMember(entry.target, captured) else { continue }
      let object = try insert(entry.target, order: orders.isEmpty ? nil : orders[place])
      inserted.append((place, object))
    }
    try saver.captureReservedRows()
    try saver.objects.flush()
    for (place, object) in inserted {
      entries[place].rowID = object[0].identity(inTransactionOf: saver.store)?.zIndex.rawValue
    }
    return entries.map { $0.rowID ?? 0 }
  }

  /// Removes members, and inserts others at the end.
  func edit(removing removed: [Int64], inserting inserted: [Int64]) throws {
    let removed = Set(removed)
    let deleted = stored.filter { removed.contains($0.target) }.map(\.row.zIndex)
    var inserted = inserted
    if captured.column.kind == .set {
      let present = Set(stored.map(\.target)).subtracting(removed)
      inserted = MemberCapture.distinct(inserted).filter { !present.contains($0) }
    }
    let staying = stored.filter { !removed.contains($0.target) }.map {
      Entry(target: $0.target, rowID: $0.row.zIndex, stays: true)
    }
    _ = try write(staying + inserted.map { Entry(target: $0) }, removed: deleted)
  }

  /// Returns the join objects that refer to some members.
  func rows(of targets: [Int64]) -> [Int64] {
    let targets = Set(targets)
    return stored.filter { targets.contains($0.target) }.map(\.row.zIndex)
  }

  /// Whether a stored join object refers to a member.
  func contains(_ target: Int64) -> Bool { stored.contains { $0.target == target } }

  // MARK: Rows

  private func delete(_ rowID: Int64) throws {
    // Another writer may have deleted the join object, or given it another owner.
    guard let place = places[rowID] else { return }
    let object = join.schema.makeRetainedObject(from: stored[place].row)
    saver.objects.captureDeletion(of: object[0], ZIndex(rawValue: rowID))
    saver.retain(object)
    if saver.objects.isFull { try saver.objects.flush() }
  }

  private func insert(_ target: Int64, order: Int?) throws -> RetainedObjects {
    let object = join.schema.makeNewObject()
    if let column = join.order, let order {
      object[0].property(column).boxForChange(Int.self).store(order)
    }
    try saver.insert(
      object, [(column: join.owner, row: captured.ownerID), (column: join.target, row: target)])
    return object
  }

  /// Changes the order of join objects.
  ///
  /// - Returns: the orders of the entries that are new or were moved.
  private func reorder(_ entries: [Entry], without removed: Set<Int64>) throws -> [Int?] {
    let sequence = sequence(of: entries, without: removed)
    let orders = JoinOrders.changes(
      of: sequence.map { place in
        switch place {
        case .stored(let place): stored[place].order
        case .entry: nil
        }
      })
    var result = [Int?](repeating: nil, count: entries.count)
    var moved: [(place: Int, order: Int)] = []
    // Those that make room move up, so the last one moves first. Then unique orders stay unique.
    for (place, order) in zip(sequence, orders).reversed() {
      guard let order else { continue }
      switch place {
      case .stored(let place): try set(order, at: place)
      case .entry(let index):
        result[index] = order
        if let place = entries[index].rowID.flatMap({ places[$0] }) {
          moved.append((place, order))
        }
      }
    }
    for (place, order) in moved where stored[place].order != order { try set(order, at: place) }
    return result
  }

  private enum Place {
    case stored(Int)
    case entry(Int)
  }

  /// Returns the new sequence of the join objects. Those that other writers have inserted follow
  /// their predecessors.
  private func sequence(of entries: [Entry], without removed: Set<Int64>) -> [Place] {
    var entriesByRow: [Int64: Bool] = [:]
    for entry in entries {
      if let rowID = entry.rowID { entriesByRow[rowID] = entry.stays }
    }
    var others: [Int64: [Int]] = [:]
    var sequence: [Place] = []
    var predecessor: Int64?
    for (place, object) in stored.enumerated() where !removed.contains(object.row.zIndex) {
      switch (entriesByRow[object.row.zIndex], predecessor) {
      case (true?, _): predecessor = object.row.zIndex
      case (false?, _): continue
      case (nil, nil): sequence.append(.stored(place))
      case (nil, let predecessor?): others[predecessor, default: []].append(place)
      }
    }
    for (index, entry) in entries.enumerated() {
      guard entry.stays, let rowID = entry.rowID else {
        sequence.append(.entry(index))
        continue
      }
      // Another writer may have deleted the join object.
      if let place = places[rowID] { sequence.append(.stored(place)) }
      sequence += (others[rowID] ?? []).map { .stored($0) }
    }
    return sequence
  }

  private func set(_ order: Int, at place: Int) throws {
    guard let column = join.order else { return }
    let object = join.schema.makeRetainedObject(from: stored[place].row)
    object[0].property(column).boxForChange(Int.self).store(order)
    var columns = ColumnSet()
    columns.insert(column)
    try saver.objects.captureUpdate(
      object[0], ZIndex(rawValue: stored[place].row.zIndex), columns, holder: object,
      isRoot: false)
    saver.retain(object)
  }
}
