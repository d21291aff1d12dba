import MagicEngine
import MagicSchema

/// The stored join objects of one owner, in the order of its collection.
struct StoredJoinObjects {
  struct JoinObject {
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

  /// The new orders of join objects.
  struct Orders {
    /// The orders of the entries that are new or were moved, by their indexes.
    var entries: [Int?]
    /// The stored join objects to be changed, in an order in which unique orders stay unique.
    var changes: [(object: JoinObject, order: Int)] = []
  }

  /// Whether the join objects were read. If not, they are not needed.
  private let isRead: Bool
  private let objects: [JoinObject]
  private var places: [Int64: Int] = [:]
  /// Retains the rows.
  private let chunks: [RowChunk]

  /// No join objects: those of a new owner, or those that are not needed.
  init(isNew: Bool) { (isRead, objects, chunks) = (isNew, [], []) }

  init(of owner: Int64, _ join: JoinType, _ reader: any EngineReader) throws {
    let rows = try reader.fetch(
      .owners(of: owner, along: join.schema.columns[join.owner], after: nil, limit: .max),
      of: join.schema, graph: nil, isWanted: nil)
    (isRead, chunks) = (true, rows.chunks)
    let objects = rows.chunks.flatMap { chunk in (0..<chunk.rowCount).map { chunk.row($0) } }
      .filter { !$0.isNull(join.target) }
      .map { row in
        // The slot of a to-one has the row ID, because the relationships are not loaded.
        JoinObject(
          row: row, target: row.slot(join.target).load(as: Int64.self),
          order: join.order.map { row.slot($0).load(as: Int.self) })
      }
    self.objects =
      join.order == nil
      ? objects
      : objects.sorted { ($0.order ?? 0, $0.row.zIndex) < ($1.order ?? 0, $1.row.zIndex) }
    for (place, object) in self.objects.enumerated() { places[object.row.zIndex] = place }
  }

  /// Returns a join object of the owner; nil if another writer has deleted it, or given it another
  /// owner.
  subscript(rowID: Int64) -> JoinObject? { places[rowID].map { objects[$0] } }

  /// Returns the members that no join object refers to, of some members.
  func absent(_ targets: [Int64]) -> [Int64] {
    let present = Set(objects.lazy.map(\.target))
    return targets.filter { !present.contains($0) }
  }

  /// Returns the join objects that refer to some members.
  func rows(of targets: [Int64]) -> [Int64] {
    let targets = Set(targets)
    return objects.filter { targets.contains($0.target) }.map(\.row.zIndex)
  }

  /// The entries of the stored join objects.
  var entries: [Entry] {
    objects.map { Entry(target: $0.target, rowID: $0.row.zIndex, stays: true) }
  }

  /// Returns an entry as it is written: a moved member whose join object another writer has deleted
  /// gets a new one.
  func current(_ entry: Entry) -> Entry {
    guard isRead, !entry.stays, let rowID = entry.rowID, places[rowID] == nil else { return entry }
    return Entry(target: entry.target)
  }

  /// Returns the orders that change.
  ///
  /// - Parameter removed: the row IDs of join objects that are deleted.
  func orders(for entries: [Entry], without removed: Set<Int64>) -> Orders {
    let sequence = sequence(of: entries, without: removed)
    let changes = JoinOrders.changes(
      of: sequence.map { place in
        switch place {
        case .stored(let place): objects[place].order
        case .entry: nil
        }
      })
    var orders = Orders(entries: Array(repeating: nil, count: entries.count))
    var moved: [(object: JoinObject, order: Int)] = []
    // Join objects that are not moved get greater orders, so the last one is changed first.
    for (place, order) in zip(sequence, changes).reversed() {
      guard let order else { continue }
      switch place {
      case .stored(let place): orders.changes.append((objects[place], order))
      case .entry(let index):
        orders.entries[index] = order
        if let object = entries[index].rowID.flatMap({ self[$0] }), object.order != order {
          moved.append((object, order))
        }
      }
    }
    orders.changes += moved
    return orders
  }

  private enum Place {
    case stored(Int)
    case entry(Int)
  }

  /// Returns the new sequence of the join objects. Those that other writers have inserted follow
  /// their predecessors.
  private func sequence(of entries: [Entry], without removed: Set<Int64>) -> [Place] {
    var stays: [Int64: Bool] = [:]
    for entry in entries { if let rowID = entry.rowID { stays[rowID] = entry.stays } }
    var others: [Int64: [Int]] = [:]
    var sequence: [Place] = []
    var predecessor: Int64?
    for (place, object) in objects.enumerated() where !removed.contains(object.row.zIndex) {
      switch (stays[object.row.zIndex], predecessor) {
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
}
