import MagicRuntime
import MagicSchema

/// What a transaction did to objects in memory, so that it takes effect with the commit, or is
/// taken back.
struct SaveLog {
  private let store: StoreToken
  private var cells: [AnyPropertyBox] = []
  private var identities: [Change] = []
  /// What was pending before a change, by the change's place; nothing for most.
  private var before: [Int: ObjectRecord.Pending] = [:]
  private var primaries: [(property: PropertyReference, value: Int)] = []
  private var savedLinks: [SavedLink] = []
  private var drops: [() -> Void] = []
  /// Takes back what took effect before the commit.
  private var undoing: [() -> Void] = []
  /// An object that becomes a row, or is none any more. Kept small: large saves have many.
  private struct Change {
    let record: ObjectRecord
    /// Nil for one that is removed.
    let zIndex: ZIndex?

    func pending(in store: StoreToken) -> ObjectRecord.Pending {
      zIndex.map { .row(RowIdentity(store: store, zIndex: $0)) } ?? .removed(store)
    }
  }

  /// A place in the log.
  struct Mark {
    fileprivate let cells: Int
    fileprivate let identities: Int
    fileprivate let primaries: Int
    fileprivate let savedLinks: Int
    fileprivate let drops: Int
    fileprivate let undoing: Int
  }

  init(store: StoreToken) {
    self.store = store
  }

  /// Marks a cell as saved; called with its lock held.
  ///
  /// - Parameter isLogged: ``ObjectReference/hasHistory`` of the cell's object, from before its row
  ///   was written.
  @inline(__always)
  mutating func clear(_ cell: AnyPropertyBox, isLogged: Bool) {
    guard cell.isChanged else { return }
    cell.isChanged = false
    if isLogged { cells.append(cell) }
  }

  /// The object becomes a row with the commit.
  mutating func assign(_ identity: RowIdentity, to record: ObjectRecord) {
    change(record, to: identity.zIndex)
  }

  /// The property gets the number that the database counted up to, with the commit.
  mutating func assignPrimary(_ value: Int, to property: PropertyReference) {
    primaries.append((property, value))
  }

  /// A relationship's note of what is saved was changed.
  mutating func note(_ link: SavedLink?) {
    if let link { savedLinks.append(link) }
  }

  /// Changes values in memory with the commit.
  mutating func drop(_ drop: @escaping () -> Void) { drops.append(drop) }

  /// The object is no row any more, with the commit.
  mutating func remove(_ record: ObjectRecord) { change(record, to: nil) }

  /// Whether the transaction has removed the object already.
  func removes(_ record: ObjectRecord) -> Bool { record.pending(in: store) == .removed(store) }

  private mutating func change(_ record: ObjectRecord, to zIndex: ZIndex?) {
    let change = Change(record: record, zIndex: zIndex)
    if let known = record.setPending(change.pending(in: store), in: store) {
      before[identities.count] = known
    }
    identities.append(change)
  }

  /// Where the log is now.
  var mark: Mark {
    Mark(
      cells: cells.count, identities: identities.count, primaries: primaries.count,
      savedLinks: savedLinks.count, drops: drops.count, undoing: undoing.count)
  }

  func commit() {
    for (property, value) in primaries { _ = Self.assign(value, to: property) }
    for change in identities { _ = change.record.commit(change.pending(in: store)) }
    for drop in drops { drop() }
  }

  /// Lets z-indexes and numbers take effect before the commit, so that the rest of the transaction
  /// sees them; rolling back takes them back.
  mutating func settle() {
    for (property, value) in primaries {
      guard Self.assign(value, to: property) else { continue }
      undoing.append {
        let cell = property.boxForChange(Int.self)
        // Another value that was set meanwhile stays.
        cell.withLock { if cell.value == value, !cell.isChanged { cell.value = nil } }
      }
    }
    primaries.removeAll()
    for change in identities {
      let before = change.record.commit(change.pending(in: store))
      undoing.append { change.record.restore(before) }
    }
    identities.removeAll()
    before.removeAll()
  }

  /// - Returns: whether there was no value.
  private static func assign(_ value: Int, to property: PropertyReference) -> Bool {
    let cell = property.boxForChange(Int.self)
    return cell.withLock {
      guard cell.value == nil else { return false }
      cell.value = value
      return true
    }
  }

  /// Takes back everything.
  mutating func rollBack() { rollBack(to: SaveLog(store: store).mark) }

  /// Takes back what came behind a mark.
  mutating func rollBack(to mark: Mark) {
    for undo in undoing[mark.undoing...].reversed() { undo() }
    undoing.removeSubrange(mark.undoing...)
    for cell in cells[mark.cells...] { cell.withLock { cell.isChanged = true } }
    for link in savedLinks[mark.savedLinks...].reversed() { link.restore() }
    let firstIdentity = min(mark.identities, identities.count)
    for index in (firstIdentity..<identities.count).reversed() {
      _ = identities[index].record.setPending(before.removeValue(forKey: index), in: store)
    }
    cells.removeSubrange(mark.cells...)
    savedLinks.removeSubrange(mark.savedLinks...)
    // What was settled since is behind the mark no more.
    identities.removeSubrange(firstIdentity...)
    primaries.removeSubrange(min(mark.primaries, primaries.count)...)
    drops.removeSubrange(mark.drops...)
  }
}

extension ObjectReference {
  /// Whether the object may have been a row before the transaction, also one that the transaction
  /// has removed. One that never was writes everything next time, whatever its cells say.
  var hasHistory: Bool { !property(0).isBox || existingRecord != nil }
}
