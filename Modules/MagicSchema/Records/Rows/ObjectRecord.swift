import CMagicRuntime
public import MagicRuntime

/// What belongs to an object as a whole: the row it is, and the boxes of the columns that were
/// changed since it was fetched.
///
/// A new object has one from its first save on, a fetched object from its first change on.
@usableFromInline
package final class ObjectRecord: Locked {
  @exclusivity(unchecked) private var storedIdentity: RowIdentity?
  @exclusivity(unchecked) private var storedPending: Pending?
  /// Those of other stores, while the object is saved into several at the same moment.
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

  /// The row the object is; nil while it is unsaved.
  package var identity: RowIdentity? {
    get { withLock { storedIdentity } }
    set { change { storedIdentity = newValue } }
  }

  /// What the object will be when the transaction of a store that is under way commits.
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

  /// What is pending in a store; seen by its writer alone.
  package func pending(in store: StoreToken) -> Pending? { withLock { find(store) } }

  /// Changes what is pending in a store.
  ///
  /// - Returns: what was before.
  package func setPending(_ pending: Pending?, in store: StoreToken) -> Pending? {
    withLock { replace(pending, store) }
  }

  /// The row the object is in the transaction of a store that is under way.
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

  /// The database that the object was removed from, until it is saved again.
  package var removedFrom: StoreToken? { withLock { storedRemoval } }

  /// What an object was before it was saved or removed.
  package struct State {
    fileprivate let identity: RowIdentity?
    fileprivate let removal: StoreToken?
  }

  /// The object is again what it was.
  package func restore(_ state: State) {
    change {
      storedIdentity = state.identity
      storedRemoval = state.removal
    }
  }

  /// What is pending comes true.
  ///
  /// - Returns: what the object was.
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

  /// Changes the identity, and counts where it is another one then.
  private func change(_ body: () -> Void) {
    let (old, new) = withLock {
      let old = storedIdentity
      body()
      return (old, storedIdentity)
    }
    if old != new { IdentityEpoch.count(departure: old != nil) }
  }

  /// The box of a changed column; nil where the column is as it was fetched, and for a collection,
  /// whose box lies in the row.
  @usableFromInline
  package func box(at column: Int) -> AnyPropertyBox? {
    guard let boxes, column < boxCount, let box = magic_pointer_load(boxes + column) else {
      return nil
    }
    return Unmanaged<AnyPropertyBox>.fromOpaque(box).takeUnretainedValue()
  }

  /// Puts a box in place unless another thread was first; the one in place is returned.
  @usableFromInline
  func install(_ box: AnyPropertyBox, at column: Int) -> AnyPropertyBox {
    guard let boxes else { return box }
    return unsafeDowncast(installed(box, in: boxes + column), to: AnyPropertyBox.self)
  }
}

extension ObjectRecord {
  /// Puts a record into a slot unless there is one; gives back the one that is there.
  static func inSlot(
    _ slot: UnsafeMutablePointer<UnsafeRawPointer?>, orInstall record: ObjectRecord
  ) -> ObjectRecord {
    unsafeDowncast(installed(record, in: slot), to: ObjectRecord.self)
  }

  /// The record in a slot, made where there is none.
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
  /// The object's record where it has one.
  package final var existingRecord: ObjectRecord? {
    magic_pointer_load(recordSlot)
      .map { Unmanaged<ObjectRecord>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Puts a retained object where nil was; another thread's object wins if it was there first.
private func installed(
  _ object: AnyObject, in slot: UnsafeMutablePointer<UnsafeRawPointer?>
) -> AnyObject {
  // Who is in the slot already is not kept twice.
  if let present = magic_pointer_load(slot) {
    return Unmanaged<AnyObject>.fromOpaque(present).takeUnretainedValue()
  }
  let retained = Unmanaged.passRetained(object)
  let winner = magic_pointer_install(slot, retained.toOpaque())
  if winner != UnsafeRawPointer(retained.toOpaque()) { retained.release() }
  return Unmanaged<AnyObject>.fromOpaque(winner).takeUnretainedValue()
}
