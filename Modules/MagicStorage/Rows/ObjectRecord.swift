import CMagicRuntime
public import MagicRuntime

/// The state of an object as a whole: the identity of its row, and the boxes of the columns that
/// were changed since the object was fetched.
///
/// A new object has a record after its first save, a fetched object after its first change.
@usableFromInline
package final class ObjectRecord: Locked {
  @exclusivity(unchecked) private var storedIdentity: RowIdentity?
  @exclusivity(unchecked) private var storedPending: Pending?
  /// The pending states in other stores, if the object is being saved to several stores
  /// concurrently.
  @exclusivity(unchecked) private var otherPending: [Pending]?
  @exclusivity(unchecked) private var storedRemoval: StoreToken?
  private let boxes: UnsafeMutablePointer<UnsafeRawPointer?>?
  private let boxCount: Int

  package init(identity: RowIdentity?, boxCount: Int) {
    storedIdentity = identity
    self.boxCount = boxCount
    if boxCount > 0 {
      boxes = .allocate(capacity: boxCount)
      boxes?.initialize(repeating: nil, count: boxCount)
    } else {
      boxes = nil
    }
    super.init()
  }

  deinit {
    guard let boxes else { return }
    for column in 0..<boxCount {
      if let box = boxes[column] { Unmanaged<AnyPropertyBox>.fromOpaque(box).release() }
    }
    boxes.deallocate()
  }

  /// The identity of the object's row; nil if the object is unsaved.
  package var identity: RowIdentity? {
    get { withLock { storedIdentity } }
    set { change { storedIdentity = newValue } }
  }

  /// The state of the object after the open transaction of a store is committed.
  package enum Pending: Equatable, Sendable {
    case row(RowIdentity)
    case removed(StoreToken)

    package var store: StoreToken {
      switch self {
      case .row(let identity): identity.store
      case .removed(let store): store
      }
    }
  }

  /// Returns the pending state in a store. Only the writer of that store uses it.
  package func pending(in store: StoreToken) -> Pending? { withLock { find(store) } }

  /// Sets the pending state in a store.
  ///
  /// - Returns: the previous pending state.
  package func setPending(_ pending: Pending?, in store: StoreToken) -> Pending? {
    withLock { replace(pending, store) }
  }

  /// Returns the identity of the object's row, including the uncommitted changes of the open
  /// transaction of a store.
  package func identity(inTransactionOf store: StoreToken) -> RowIdentity? {
    withLock {
      switch find(store) {
      case .row(let identity): identity
      case .removed: storedIdentity?.store == store ? nil : storedIdentity
      case nil: storedIdentity
      }
    }
  }

  private func find(_ store: StoreToken) -> Pending? {
    if storedPending?.store == store { return storedPending }
    return otherPending?.first { $0.store == store }
  }

  private func replace(_ pending: Pending?, _ store: StoreToken) -> Pending? {
    if storedPending == nil || storedPending?.store == store, otherPending == nil {
      defer { storedPending = pending }
      return storedPending
    }
    let before = find(store)
    let all =
      ([storedPending].compactMap { $0 } + (otherPending ?? []))
      .filter { $0.store != store } + [pending].compactMap { $0 }
    storedPending = all.first
    otherPending = all.count > 1 ? Array(all.dropFirst()) : nil
    return before
  }

  /// The store that the object was removed from; nil if it was saved again.
  package var removedFrom: StoreToken? { withLock { storedRemoval } }

  /// The state of an object before a save or removal.
  package struct State {
    fileprivate let identity: RowIdentity?
    fileprivate let removal: StoreToken?
  }

  /// Restores the state before a save or removal.
  package func restore(_ state: State) {
    change {
      storedIdentity = state.identity
      storedRemoval = state.removal
    }
  }

  /// Makes the pending state the state of the object.
  ///
  /// - Returns: the previous state.
  package func commit(_ pending: Pending) -> State {
    let before = withLock { State(identity: storedIdentity, removal: storedRemoval) }
    change {
      switch pending {
      case .row(let identity):
        storedIdentity = identity
        storedRemoval = nil
      case .removed(let store):
        if storedIdentity?.store == store {
          storedIdentity = nil
          storedRemoval = store
        }
      }
      if find(pending.store) == pending { _ = replace(nil, pending.store) }
    }
    return before
  }

  /// Changes the identity, and increments the counters of ``IdentityEpoch`` if it differs
  /// afterwards.
  private func change(_ body: () -> Void) {
    let (old, new) = withLock {
      let old = storedIdentity
      body()
      return (old, storedIdentity)
    }
    if old != new { IdentityEpoch.count(departure: old != nil) }
  }

  /// Returns the box of a changed column. Nil if the column is unchanged since the fetch, and for a
  /// collection, whose box is in the row.
  @usableFromInline
  package func box(at column: Int) -> AnyPropertyBox? {
    unmanagedBox(at: column)?.takeUnretainedValue()
  }

  /// The same, without counting a reference.
  @inline(__always)
  func unmanagedBox(at column: Int) -> Unmanaged<AnyPropertyBox>? {
    guard let boxes, column < boxCount, let box = magic_pointer_load(boxes + column) else {
      return nil
    }
    return .fromOpaque(box)
  }

  /// Installs a box unless another thread has installed one; returns the installed box.
  @usableFromInline
  func install(_ box: AnyPropertyBox, at column: Int) -> AnyPropertyBox {
    guard let boxes else { return box }
    return unsafeDowncast(installed(box, in: boxes + column), to: AnyPropertyBox.self)
  }
}

extension ObjectRecord {
  /// Installs a record in a slot unless the slot contains one; returns the record in the slot.
  static func inSlot(
    _ slot: UnsafeMutablePointer<UnsafeRawPointer?>, orInstall record: ObjectRecord
  ) -> ObjectRecord {
    unsafeDowncast(installed(record, in: slot), to: ObjectRecord.self)
  }

  /// Returns the record in a slot, which is created if the slot is empty.
  package static func inSlot(
    _ slot: UnsafeMutablePointer<UnsafeRawPointer?>, identity: RowIdentity?, boxCount: Int
  ) -> ObjectRecord {
    if let record = magic_pointer_load(slot) {
      return Unmanaged<ObjectRecord>.fromOpaque(record).takeUnretainedValue()
    }
    return inSlot(slot, orInstall: ObjectRecord(identity: identity, boxCount: boxCount))
  }
}

extension AnyPropertyBox {
  /// The record of the object, if it has one.
  package final var existingRecord: ObjectRecord? {
    magic_pointer_load(recordSlot)
      .map { Unmanaged<ObjectRecord>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Installs a retained object in an empty slot and returns the object in the slot. If another
/// thread was first, its object remains.
private func installed(
  _ object: AnyObject, in slot: UnsafeMutablePointer<UnsafeRawPointer?>
) -> AnyObject {
  // An object that is already in the slot must not be retained a second time.
  if let present = magic_pointer_load(slot) {
    return Unmanaged<AnyObject>.fromOpaque(present).takeUnretainedValue()
  }
  let retained = Unmanaged.passRetained(object)
  let winner = magic_pointer_install(slot, retained.toOpaque())
  if winner != UnsafeRawPointer(retained.toOpaque()) { retained.release() }
  return Unmanaged<AnyObject>.fromOpaque(winner).takeUnretainedValue()
}
