import MagicRuntime

/// The box of a lazy property.
@usableFromInline
package final class LazyPropertyBox: AnyPropertyBox {
  /// The location of the value.
  package enum State: Sendable {
    /// In the row of the object, if the object is saved.
    case row
    case null
    /// In the value that was assigned to the property. It is saved with the object.
    case given(LazyReference)
  }

  /// The position of the property: the object type and the index in it.
  package struct Position: Sendable {
    package let type: _TypeLayout
    package let slot: Int

    package init(schema type: _TypeLayout, slot: Int) {
      self.type = type
      self.slot = slot
    }
  }

  /// A value that a save has captured and not committed yet.
  private struct UncommittedSave {
    let box: AnyLazyBox
    let version: UInt
  }

  private let declaration: PropertyOrigin?
  @exclusivity(unchecked) private var storedState: State
  @exclusivity(unchecked) private var storedPosition: Position?
  @exclusivity(unchecked) private var storedLease: StoreLease?
  @exclusivity(unchecked) private var uncommittedSave: UncommittedSave?
  @exclusivity(unchecked) private var storedTarget: LazyTarget?
  /// The content that a query has loaded with the row. Used while the state is `row`.
  @exclusivity(unchecked) private var storedPreload: AnyLazyBox?

  init(_ state: State, target: LazyTarget? = nil) {
    declaration = nil
    storedState = state
    storedTarget = target
    super.init(isChanged: false, line: 0)
  }

  @usableFromInline
  package init(type: StaticString, file: StaticString, line: UInt) {
    declaration = PropertyOrigin(typeName: type.utf8Start, file: file.utf8Start)
    storedState = .row
    super.init(isChanged: false, line: line)
  }

  /// Creates the box of a property with a default value, which may be nil.
  @usableFromInline
  package convenience init<Value>(default value: Value?) {
    guard let reference = (value as? any LazyValue)?.reference else {
      self.init(.null)
      return
    }
    if case .box(let box) = reference { box.addHolder() }
    self.init(.given(reference))
  }

  deinit {
    if case .given(.box(let box)) = storedState { box.removeHolder() }
  }

  package override var origin: PropertyOrigin? { declaration }

  package var state: State { withLock { storedState } }

  /// The state. Used while the lock is held, and of the box of a ``SavedValue``.
  var savedState: State { storedState }

  /// Whether the property was set since the object was fetched or saved, including values that an
  /// uncommitted save has captured. Used while the lock is held.
  package var isSet: Bool {
    switch storedState {
    case .given: true
    case .null: isChanged
    case .row: false
    }
  }

  override func makeSavedCopy() -> AnyPropertyBox? {
    if case .given = storedState { return nil }
    return LazyPropertyBox(storedState)
  }

  /// The content that a query has loaded with the row; nil if there is none.
  var preload: AnyLazyBox? { withLock { storedPreload } }

  /// Replaces the content that a query has loaded with the row.
  func setPreload(_ new: AnyLazyBox?) {
    let old = withLock { () -> AnyLazyBox? in
      defer { storedPreload = new }
      return storedPreload
    }
    withExtendedLifetime(old) {}
  }

  /// The position of the property; nil if the object was never saved.
  package var position: Position? { withLock { storedPosition } }

  /// Prevents the store of the object's row from closing; nil if the chunk of the row does that.
  package var lease: StoreLease? { withLock { storedLease } }

  /// The row that a to-one referred to when it was last fetched or saved.
  package var target: LazyTarget? { withLock { storedTarget } }

  /// Attaches the record of the object when the object becomes a row.
  package func attach(_ record: ObjectRecord, _ position: Position) {
    withLock { storedPosition = position }
    _ = ObjectRecord.inSlot(recordSlot, orInstall: record)
  }

  // MARK: Setting

  /// Sets the content of the property.
  package func set<Content: Sendable>(_ content: Content) {
    let new = LazyBox(content)
    let old = withLock { () -> (State?, AnyObject?) in
      if case .given(.box(let box)) = storedState, let box = box as? LazyBox<Content> {
        let (isSet, old) = box.set(content)
        if isSet { return (nil, old) }
      }
      if !isSet, savedValue == nil { keepSavedCopy() }
      return (replace(.given(.box(new))), nil)
    }
    withExtendedLifetime(old) {}
  }

  /// Assigns a value to the property.
  package func assign(_ new: State) {
    let old = withLock { () -> State? in
      if case .given(.box(let box)) = new, case .given(.box(let current)) = storedState,
        box === current
      {
        return nil
      }
      if !isSet, savedValue == nil { keepSavedCopy() }
      // The state `given` implies that the value must be saved. For nil, only the changed flag
      // does.
      if case .null = new { markAssigned() }
      return replace(new)
    }
    withExtendedLifetime(old) {}
  }

  /// Replaces the state. Called with the lock held.
  ///
  /// - Returns: the old state, which the caller releases after unlocking.
  func replace(_ new: State) -> State {
    let old = storedState
    if case .given(.box(let box)) = old { box.removeHolder() }
    if case .given(.box(let box)) = new { box.addHolder() }
    storedState = new
    return old
  }

  // MARK: Saving

  /// Records that a save has captured a value.
  ///
  /// - Returns: whether a save that is not committed yet had captured the same value before; and
  ///   the action that undoes the record.
  package func beginSave(_ box: AnyLazyBox, version: UInt) -> (isRepeated: Bool, UndoAction) {
    let before = withLock { () -> UncommittedSave? in
      if case .given(.place) = storedState { _ = replace(.given(.box(box))) }
      defer { uncommittedSave = UncommittedSave(box: box, version: version) }
      return uncommittedSave
    }
    return (
      before.map { $0.box === box && $0.version == version } ?? false,
      UndoAction { self.withLock { self.uncommittedSave = before } }
    )
  }

  /// Whether a save that is not committed yet has written the value.
  package func isBeingSaved(_ box: AnyLazyBox) -> Bool {
    withLock { uncommittedSave.map { $0.box === box && $0.version == box.version } ?? false }
  }

  /// The version that a save which is not committed yet has written; nil if there is none.
  package func uncommittedVersion(of box: AnyLazyBox) -> UInt? {
    withLock { uncommittedSave.flatMap { $0.box === box ? $0.version : nil } }
  }

  /// Completes a committed save: the row of the object now contains the captured value.
  ///
  /// - Parameter lease: prevents the store of the row from closing.
  package func endSave(
    _ box: AnyLazyBox, version: UInt, at place: PropertyReference, lease: StoreLease?
  ) {
    setLease(lease)
    setPreload(nil)
    let old = withLock { () -> (State?, AnyObject?, SavedValue?) in
      // A later save may have captured a newer version.
      if uncommittedSave?.box !== box || uncommittedSave?.version == version {
        uncommittedSave = nil
      }
      guard case .given(.box(let current)) = storedState, current === box else {
        return (nil, nil, updateSavedValue())
      }
      let (isSame, content) = box.move(to: place, version: version)
      guard isSame else { return (nil, content, updateSavedValue()) }
      let old = storedState
      storedState = .row
      return (old, content, updateSavedValue())
    }
    withExtendedLifetime(old) {}
  }

  /// Completes a committed save of a value that belongs to another property: the row of this object
  /// now contains it.
  package func endSave(_ other: PropertyReference?, lease: StoreLease?) {
    setLease(lease)
    if other != nil { setPreload(nil) }
    let old = withLock { () -> (State?, SavedValue?) in
      guard let other, case .given(.place(let current)) = storedState,
        current.isSame(as: other)
      else { return (nil, updateSavedValue()) }
      let old = storedState
      storedState = .row
      return (old, updateSavedValue())
    }
    withExtendedLifetime(old) {}
  }

  /// Records that the row contains a value. Called with the lock held.
  ///
  /// - Returns: the value that was saved before, which the caller releases after unlocking.
  private func updateSavedValue() -> SavedValue? {
    defer { if isSet { savedValue = .box(LazyPropertyBox(.row)) } }
    return takeSavedValue()
  }

  /// Sets a to-one to nil after its object was deleted. A value that was set meanwhile is kept.
  package func clear(_ box: AnyLazyBox, version: UInt) {
    let old = withLock { () -> (State, SavedValue?)? in
      guard case .given(.box(let current)) = storedState, current === box, box.version == version
      else { return nil }
      return (replace(.null), takeSavedValue())
    }
    withExtendedLifetime(old) {}
  }

  /// Records the row that a to-one refers to. The result restores the previous record.
  package func note(_ target: LazyTarget?) -> UndoAction {
    let before = withLock { () -> LazyTarget? in
      defer { storedTarget = target }
      return storedTarget
    }
    return UndoAction { self.withLock { self.storedTarget = before } }
  }

  private func setLease(_ lease: StoreLease?) {
    let old = withLock { () -> StoreLease? in
      defer { storedLease = lease }
      return storedLease
    }
    withExtendedLifetime(old) {}
  }
}

extension LazyPropertyBox: RelationshipStorage {}
