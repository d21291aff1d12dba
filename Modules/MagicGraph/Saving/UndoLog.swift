import MagicRuntime
import MagicSchema

/// What a transaction did to objects in memory, so that it takes effect with the commit, or is
/// taken back.
package struct UndoLog {
  let store: StoreToken
  private var boxes: [AnyPropertyBox] = []
  private var identities: [Change] = []
  /// What was pending before a change, by the change's place; nothing for most.
  private var before: [Int: ObjectRecord.Pending] = [:]
  private var primaries: [(property: PropertyReference, value: Int)] = []
  private var savedLinks: [UndoAction] = []
  private var actions: [() -> Void] = []
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
    fileprivate let boxes: Int
    fileprivate let identities: Int
    fileprivate let primaries: Int
    fileprivate let savedLinks: Int
    fileprivate let actions: Int
    fileprivate let undoing: Int
  }

  init(store: StoreToken) {
    self.store = store
  }

  /// Marks a box as saved; called with its lock held.
  ///
  /// - Parameter isLogged: ``ObjectReference/hasHistory`` of the box's object, from before its row
  ///   was written.
  @inline(__always)
  mutating func clear(_ box: AnyPropertyBox, isLogged: Bool) {
    guard box.isChanged else { return }
    box.isChanged = false
    if isLogged { boxes.append(box) }
  }

  /// The object becomes a row with the commit.
  ///
  /// - Returns: the place of the entry.
  mutating func assign(_ zIndex: ZIndex, to record: ObjectRecord) -> Int {
    change(record, to: zIndex)
    return identities.count - 1
  }

  /// The object of an entry becomes another row than was entered.
  mutating func reassign(_ zIndex: ZIndex, at place: Int) {
    let change = Change(record: identities[place].record, zIndex: zIndex)
    _ = change.record.setPending(change.pending(in: store), in: store)
    identities[place] = change
  }

  /// The property gets the number that the database counted up to, with the commit.
  mutating func assignPrimary(_ value: Int, to property: PropertyReference) {
    primaries.append((property, value))
  }

  /// A relationship's note of what is saved was changed.
  mutating func note(_ link: UndoAction?) {
    if let link { savedLinks.append(link) }
  }

  /// Changes values in memory with the commit.
  mutating func onCommit(_ action: @escaping () -> Void) { actions.append(action) }

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
      boxes: boxes.count, identities: identities.count, primaries: primaries.count,
      savedLinks: savedLinks.count, actions: actions.count, undoing: undoing.count)
  }

  mutating func commit() {
    for (property, value) in primaries { _ = Self.assign(value, to: property) }
    for change in identities { _ = change.record.commit(change.pending(in: store)) }
    // An action may keep what keeps the log.
    let done = actions
    actions = []
    for action in done { action() }
  }

  /// Lets z-indexes and numbers take effect before the commit, so that the rest of the transaction
  /// sees them; rolling back takes them back.
  mutating func settle() {
    for (property, value) in primaries {
      guard Self.assign(value, to: property) else { continue }
      undoing.append {
        let box = property.boxForChange(Int.self)
        // Another value that was set meanwhile stays.
        box.withLock { if box.value == value, !box.isChanged { box.value = nil } }
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
    let box = property.boxForChange(Int.self)
    return box.withLock {
      guard box.value == nil else { return false }
      box.value = value
      return true
    }
  }

  /// Takes back everything.
  mutating func rollBack() { rollBack(to: UndoLog(store: store).mark) }

  /// Takes back what came behind a mark.
  mutating func rollBack(to mark: Mark) {
    for undo in undoing[mark.undoing...].reversed() { undo() }
    undoing.removeSubrange(mark.undoing...)
    for box in boxes[mark.boxes...] { box.withLock { box.isChanged = true } }
    for link in savedLinks[mark.savedLinks...].reversed() { link.restore() }
    let firstIdentity = min(mark.identities, identities.count)
    for index in (firstIdentity..<identities.count).reversed() {
      _ = identities[index].record.setPending(before.removeValue(forKey: index), in: store)
    }
    boxes.removeSubrange(mark.boxes...)
    savedLinks.removeSubrange(mark.savedLinks...)
    // What was settled since is behind the mark no more.
    identities.removeSubrange(firstIdentity...)
    primaries.removeSubrange(min(mark.primaries, primaries.count)...)
    actions.removeSubrange(mark.actions...)
  }
}

extension ObjectReference {
  /// Whether the object may have been a row before the transaction, also one that the transaction
  /// has removed. One that never was writes everything next time, whatever its boxes say.
  var hasHistory: Bool { !property(0).isBox || existingRecord != nil }
}
