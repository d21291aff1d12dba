import MagicRuntime
import MagicSchema

/// The changes of a transaction to objects in memory. The commit applies them, and a rollback
/// undoes them.
package struct UndoLog {
  let store: StoreToken
  private var boxes: [AnyPropertyBox] = []
  /// The saved values before a change of `boxes`, in the order of the indexes. Most boxes have none.
  private var savedValues: [(index: Int, value: SavedValue)] = []
  /// The actions that restore what a refresh, a new version or a saved relationship has replaced, in
  /// their order, each with the number of `boxes` before it.
  private var replacements: [(place: Int, undo: UndoAction)] = []
  private var identities: [Change] = []
  /// The pending state before a change, by the index of the change. Most changes have no entry.
  private var before: [Int: ObjectRecord.Pending] = [:]
  private var primaries: [(property: PropertyReference, value: Int)] = []
  private var actions: [() -> Void] = []
  /// The actions that undo changes which took effect before the commit.
  private var undoActions: [() -> Void] = []
  /// An object that gets a row, or loses its row. This structure is small, because large saves have
  /// many changes.
  private struct Change {
    let record: ObjectRecord
    /// The new row ID, or nil if the row was deleted.
    let zIndex: ZIndex?

    func pending(in store: StoreToken) -> ObjectRecord.Pending {
      zIndex.map { .row(RowIdentity(store: store, zIndex: $0)) } ?? .removed(store)
    }
  }

  /// A position in the log.
  struct Savepoint {
    fileprivate let boxes: Int
    fileprivate let replacements: Int
    fileprivate let identities: Int
    fileprivate let primaries: Int
    fileprivate let actions: Int
    fileprivate let undoActions: Int
  }

  init(store: StoreToken) {
    self.store = store
  }

  /// Clears the changed flag of a box. Called with the lock of the box held.
  ///
  /// - Parameter isLogged: ``ObjectReference/hasHistory`` of the box's object, computed before its
  ///   row was written.
  @inline(__always)
  mutating func clear(_ box: AnyPropertyBox, isLogged: Bool) {
    guard box.isChanged else { return }
    let saved = box.markSaved()
    // A saved value must not be released while the lock is held.
    if let saved { savedValues.append((boxes.count, saved)) }
    if isLogged || saved != nil { boxes.append(box) }
  }

  /// Records that the object gets a row with the commit.
  ///
  /// - Returns: the index of the entry.
  mutating func assign(_ zIndex: ZIndex, to record: ObjectRecord) -> Int {
    change(record, to: zIndex)
    return identities.count - 1
  }

  /// Replaces the row ID of an entry.
  mutating func reassign(_ zIndex: ZIndex, at place: Int) {
    let change = Change(record: identities[place].record, zIndex: zIndex)
    _ = change.record.setPending(change.pending(in: store), in: store)
    identities[place] = change
  }

  /// Records that the property gets an auto-increment value with the commit.
  mutating func assignPrimary(_ value: Int, to property: PropertyReference) {
    primaries.append((property, value))
  }

  /// Replaces the auto-increment value of a property.
  mutating func reassignPrimary(_ value: Int, to property: PropertyReference) {
    let place = primaries.lastIndex { $0.property.storage === property.storage }
    if let place { primaries[place].value = value }
  }

  /// Sets the version of an object. Later saves of the transaction see it.
  mutating func setVersion(_ version: Int, of property: PropertyReference) {
    let box = property.boxForChange(Int.self)
    let before = box.withLock {
      defer { box.value = version }
      return box.value
    }
    noteReplacement(UndoAction { box.withLock { box.value = before } })
  }

  /// Records that the saved state of a relationship was changed.
  mutating func note(_ link: UndoAction?) {
    if let link { noteReplacement(link) }
  }

  /// Records that a property got the value of its row, or a new version.
  mutating func noteReplacement(_ undo: UndoAction) { replacements.append((boxes.count, undo)) }

  /// Adds an action that changes values in memory with the commit.
  mutating func onCommit(_ action: @escaping () -> Void) { actions.append(action) }

  /// Records that the row of the object is deleted with the commit.
  mutating func remove(_ record: ObjectRecord) { change(record, to: nil) }

  /// Returns whether the transaction has already deleted the object's row.
  func removes(_ record: ObjectRecord) -> Bool { record.pending(in: store) == .removed(store) }

  private mutating func change(_ record: ObjectRecord, to zIndex: ZIndex?) {
    let change = Change(record: record, zIndex: zIndex)
    if let known = record.setPending(change.pending(in: store), in: store) {
      before[identities.count] = known
    }
    identities.append(change)
  }

  /// The current position in the log.
  var savepoint: Savepoint {
    Savepoint(
      boxes: boxes.count, replacements: replacements.count, identities: identities.count,
      primaries: primaries.count, actions: actions.count, undoActions: undoActions.count)
  }

  mutating func commit() {
    for (property, value) in primaries { _ = Self.assign(value, to: property) }
    for change in identities { _ = change.record.commit(change.pending(in: store)) }
    // An action may retain the object that owns the log.
    let done = actions
    actions = []
    for action in done { action() }
  }

  /// Applies row IDs and auto-increment values before the commit, so that later calls of the
  /// transaction see them. A rollback undoes this.
  mutating func applyEarly() {
    for (property, value) in primaries {
      guard Self.assign(value, to: property) else { continue }
      undoActions.append {
        let box = property.boxForChange(Int.self)
        // A value that the program has set since then is kept.
        box.withLock { if box.value == value, !box.isChanged { box.value = nil } }
      }
    }
    primaries.removeAll()
    for change in identities {
      let before = change.record.commit(change.pending(in: store))
      undoActions.append { change.record.restore(before) }
    }
    identities.removeAll()
    before.removeAll()
  }

  /// - Returns: whether there was no value before.
  private static func assign(_ value: Int, to property: PropertyReference) -> Bool {
    let box = property.boxForChange(Int.self)
    return box.withLock {
      guard box.value == nil else { return false }
      box.value = value
      return true
    }
  }

  /// Removes the entries after a savepoint: the objects are not used any more, whether the transaction
  /// is committed or not. Actions remain, because they may concern files.
  mutating func forget(since savepoint: Savepoint) {
    boxes.removeSubrange(savepoint.boxes...)
    savedValues.removeAll { $0.index >= savepoint.boxes }
    replacements.removeSubrange(savepoint.replacements...)
    let first = min(savepoint.identities, identities.count)
    for index in first..<identities.count { before[index] = nil }
    identities.removeSubrange(first...)
    primaries.removeSubrange(min(savepoint.primaries, primaries.count)...)
  }

  /// Undoes all changes.
  mutating func rollBack() { rollBack(to: UndoLog(store: store).savepoint) }

  /// Undoes the changes after a savepoint.
  mutating func rollBack(to savepoint: Savepoint) {
    for undo in undoActions[savepoint.undoActions...].reversed() { undo() }
    undoActions.removeSubrange(savepoint.undoActions...)
    for replacement in replacements[savepoint.replacements...].reversed() {
      undoSaves(from: replacement.place)
      replacement.undo.restore()
    }
    undoSaves(from: savepoint.boxes)
    let firstIdentity = min(savepoint.identities, identities.count)
    for index in (firstIdentity..<identities.count).reversed() {
      _ = identities[index].record.setPending(before.removeValue(forKey: index), in: store)
    }
    replacements.removeSubrange(savepoint.replacements...)
    // `applyEarly` may have removed entries that precede the savepoint.
    identities.removeSubrange(firstIdentity...)
    primaries.removeSubrange(min(savepoint.primaries, primaries.count)...)
    actions.removeSubrange(savepoint.actions...)
  }
}

extension UndoLog {
  /// Marks the boxes from an index on as changed again, and removes them from the log.
  private mutating func undoSaves(from start: Int) {
    while boxes.count > start, let box = boxes.popLast() {
      let isLast = savedValues.last?.index == boxes.count
      box.undoSave(isLast ? savedValues.popLast()?.value : nil)
    }
  }
}

extension ObjectReference {
  /// Whether the object may have had a row before the transaction, even if the transaction has
  /// deleted it. For an object that never had a row, the next save writes all properties, even
  /// those that are not marked as changed.
  var hasHistory: Bool { !property(0).isBox || existingRecord != nil }
}
