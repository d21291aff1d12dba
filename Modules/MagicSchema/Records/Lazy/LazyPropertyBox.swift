import MagicRuntime

/// The property box of a lazy property.
@usableFromInline
package final class LazyPropertyBox: AnyPropertyBox {
  /// Where the value is.
  package enum State: Sendable {
    /// In the object's row, if there is one.
    case row
    case null
    /// In what the property was set to; it is saved with the object.
    case given(LazyReference)
  }

  /// The object's type, and the property's place in it.
  package struct Home: Sendable {
    let type: TypeLayout
    package let slot: Int

    package init(schema type: TypeLayout, slot: Int) {
      self.type = type
      self.slot = slot
    }
  }

  /// What a save has taken, and did not commit yet.
  private struct Taken {
    let box: AnyLazyBox
    let version: UInt
  }

  private let declaration: PropertyOrigin?
  @exclusivity(unchecked) private var storedState: State
  @exclusivity(unchecked) private var storedHome: Home?
  @exclusivity(unchecked) private var storedKeeper: StoreKeeper?
  @exclusivity(unchecked) private var taken: Taken?
  @exclusivity(unchecked) private var storedTarget: LazyTarget?

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

  /// The property box of a property with a default; nil is none.
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

  override var origin: PropertyOrigin? { declaration }

  package var state: State { withLock { storedState } }

  /// What is known of the object since it was a row.
  package var home: Home? { withLock { storedHome } }

  /// What keeps the store of the object's row open; nil where the row's chunk does.
  package var keeper: StoreKeeper? { withLock { storedKeeper } }

  /// The row that a to-one referred to when it was fetched or saved last.
  package var target: LazyTarget? { withLock { storedTarget } }

  /// The object becomes a row.
  package func adopt(_ record: ObjectRecord, _ home: Home) {
    withLock { storedHome = home }
    _ = ObjectRecord.inSlot(recordSlot, orInstall: record)
  }

  // MARK: Setting

  /// Sets the value of the property at a place, whose property box this is.
  func set<Content: Sendable>(_ content: Content) {
    let new = LazyBox(content)
    let old = withLock { () -> (State?, AnyObject?) in
      if case .given(.box(let box)) = storedState, let box = box as? LazyBox<Content> {
        let (isSet, old) = box.set(content)
        if isSet { return (nil, old) }
      }
      return (replace(.given(.box(new))), nil)
    }
    withExtendedLifetime(old) {}
  }

  /// Gives the property another value.
  func assign(_ new: State) {
    let old = withLock { () -> State? in
      if case .given(.box(let box)) = new, case .given(.box(let present)) = storedState,
        box === present
      {
        return nil
      }
      // A value that is given is saved for being there; of nil there is the mark alone.
      if case .null = new { isChanged = true }
      return replace(new)
    }
    withExtendedLifetime(old) {}
  }

  /// Called with the lock held.
  ///
  /// - Returns: the old state, which is to end outside the lock.
  private func replace(_ new: State) -> State {
    let old = storedState
    if case .given(.box(let box)) = old { box.removeHolder() }
    if case .given(.box(let box)) = new { box.addHolder() }
    storedState = new
    return old
  }

  // MARK: Saving

  /// Notes that a save takes a value.
  ///
  /// - Returns: whether it was taken already by a save that did not commit yet, and what takes the
  ///   note back.
  func take(_ box: AnyLazyBox, version: UInt) -> (isRepeated: Bool, SavedLink) {
    let before = withLock { () -> Taken? in
      if case .given(.place) = storedState { _ = replace(.given(.box(box))) }
      defer { taken = Taken(box: box, version: version) }
      return taken
    }
    return (
      before.map { $0.box === box && $0.version == version } ?? false,
      SavedLink { self.withLock { self.taken = before } }
    )
  }

  /// Whether a save that did not commit yet has written the value.
  package func isTaken(_ box: AnyLazyBox) -> Bool {
    withLock { taken.map { $0.box === box && $0.version == box.version } ?? false }
  }

  /// What was taken is in the row of the object now.
  ///
  /// - Parameter keeper: keeps the row's store open.
  func settle(
    _ box: AnyLazyBox, version: UInt, at place: PropertyReference, keeping keeper: StoreKeeper?
  ) {
    keep(keeper)
    let old = withLock { () -> (State, AnyObject?)? in
      taken = nil
      guard case .given(.box(let present)) = storedState, present === box else { return nil }
      let (isSame, content) = box.move(to: place, version: version)
      guard isSame else { return nil }
      defer { storedState = .row }
      return (storedState, content)
    }
    withExtendedLifetime(old) {}
  }

  /// What another property refers to was written, and is in the row of this one's object now.
  func settle(_ other: PropertyReference?, keeping keeper: StoreKeeper?) {
    keep(keeper)
    let old = withLock { () -> State? in
      guard let other, case .given(.place(let present)) = storedState,
        present.isSame(as: other)
      else { return nil }
      defer { storedState = .row }
      return storedState
    }
    withExtendedLifetime(old) {}
  }

  /// A to-one whose object is gone refers to nothing. Another value that was set meanwhile stays.
  func clear(_ box: AnyLazyBox, version: UInt) {
    let old = withLock { () -> State? in
      guard case .given(.box(let present)) = storedState, present === box, box.version == version
      else { return nil }
      return replace(.null)
    }
    withExtendedLifetime(old) {}
  }

  func note(_ target: LazyTarget?) -> SavedLink {
    let before = withLock { () -> LazyTarget? in
      defer { storedTarget = target }
      return storedTarget
    }
    return SavedLink { self.withLock { self.storedTarget = before } }
  }

  private func keep(_ keeper: StoreKeeper?) {
    let old = withLock { () -> StoreKeeper? in
      defer { storedKeeper = keeper }
      return storedKeeper
    }
    withExtendedLifetime(old) {}
  }
}

extension LazyPropertyBox: RelationshipStorage {}
