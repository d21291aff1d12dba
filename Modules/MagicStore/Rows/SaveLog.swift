import MagicRuntime
import MagicSchema

/// What a transaction did to objects in memory, so that it takes effect with the commit, or is
/// taken back.
struct SaveLog {
  private let store: StoreToken
  private var cells: [AnyCell] = []
  private var records: [(record: ObjectRecord, identity: RowIdentity)] = []
  private var primaries: [(property: PropertyReference, value: Int)] = []
  private var savedLinks: [SavedLink] = []
  private var drops: [() -> Void] = []
  private var removed: [ObjectRecord] = []
  private var removedNow: Set<ObjectIdentifier> = []
  /// Whether the object at work is a row already. One that is none writes everything next time, so
  /// its cells need no entry.
  var logsCells = false

  init(store: StoreToken) {
    self.store = store
  }

  /// Marks a cell as saved; called with its lock held.
  @inline(__always)
  mutating func clear(_ cell: AnyCell) {
    guard cell.isChanged else { return }
    cell.isChanged = false
    if logsCells { cells.append(cell) }
  }

  /// The object becomes a row with the commit.
  mutating func assign(_ identity: RowIdentity, to record: ObjectRecord) {
    record.pending = identity
    records.append((record, identity))
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
  mutating func remove(_ record: ObjectRecord) {
    removed.append(record)
    removedNow.insert(ObjectIdentifier(record))
  }

  /// Whether the transaction has removed the object already.
  func removes(_ record: ObjectRecord) -> Bool { removedNow.contains(ObjectIdentifier(record)) }

  func commit() {
    for (property, value) in primaries {
      let cell = property.cellForChange(Int.self)
      cell.withLock { if cell.value == nil { cell.value = value } }
    }
    for (record, identity) in records { record.commit(identity) }
    for record in removed { record.leave(store) }
    for drop in drops { drop() }
  }

  mutating func rollBack() {
    for cell in cells { cell.withLock { cell.isChanged = true } }
    for link in savedLinks.reversed() { link.restore() }
    for (record, identity) in records { record.forget(identity) }
    self = SaveLog(store: store)
  }
}
