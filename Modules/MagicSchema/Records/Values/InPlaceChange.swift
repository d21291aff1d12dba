import CMagicRuntime
import MagicRuntime
public import Magical

/// A change of a property in place, as in `object.list.append(x)`, from its start to its end.
///
/// Swift lets such a change span an `await`: where a mutating `async` method is called on the property,
/// and where the property is passed `inout` to an `async` function. Between start and end the thread
/// then runs other tasks, and the end may come on another thread. No lock may be held that long. So
/// there are two kinds:
///
/// - An **atomic** change cannot suspend. It holds the property's lock and changes the value where it
///   is: no copy is made, and other tasks wait for its end.
/// - A **detached** change may suspend. It holds no lock and changes a copy of the value, which is put
///   back at its end; see ``DetachedChange``.
///
/// The compiler decides which of them a change is, by the place it gives to this structure. A variable
/// that is used on both sides of a suspension cannot be on the stack of a thread: it is in the frame of
/// the asynchronous function, in allocated memory. A change that is bound to the stack is therefore
/// atomic. Others may suspend or not, and are detached.
@frozen @usableFromInline
struct InPlaceChange {
  /// The box of an atomic change; or the ``AnyDetachedChange``, retained, with the lowest bit set. One
  /// word: what an accessor keeps across its `yield` fits into the memory that its caller has for it.
  @usableFromInline var subject: UInt = 0

  @inlinable
  init() {}

  /// Begins the change of a property.
  ///
  /// - Returns: the place of the value, or of its copy.
  @inlinable
  mutating func begin<Value: Magical & Sendable>(
    _ property: PropertyReference, _ type: Value.Type
  ) -> UnsafeMutablePointer<Value?> {
    if Value._packing == .lazy { return detach(property.lazyChange(Value.self)) }
    let box = property.boxForChange(Value.self)
    guard beginAtomic(box) else { return detach(box.detachedChange()) }
    box.lockForChange()
    box.isChanged = true
    return box.place
  }

  /// Begins an atomic change, whose caller then takes the lock; false where the change is to be
  /// detached.
  ///
  /// It is not inlined and changes the structure by reference, so that the compiler leaves the structure
  /// on the stack where it can.
  @usableFromInline @inline(never)
  mutating func beginAtomic(_ box: AnyPropertyBox) -> Bool {
    guard magic_is_bound_to_stack(&self) || CurrentTask.identifier == nil else { return false }
    let reference = Unmanaged.passUnretained(box).toOpaque()
    subject = UInt(bitPattern: reference)
    magic_changes_enter(reference)
    return true
  }

  @inlinable
  mutating func detach<Value: Sendable>(
    _ change: DetachedChange<Value>
  ) -> UnsafeMutablePointer<Value?> {
    subject = UInt(bitPattern: Unmanaged.passRetained(change).toOpaque()) | 1
    return change.place
  }

  /// Ends the change: gives the lock back, or puts the changed copy into its place.
  ///
  /// - Parameter storage: what keeps the property's box to the end.
  @usableFromInline @inline(never)
  mutating func end(keeping storage: PropertyStorage) {
    guard let subject = UnsafeRawPointer(bitPattern: subject & ~1) else { return }
    if self.subject & 1 != 0 {
      Unmanaged<AnyDetachedChange>.fromOpaque(subject).takeRetainedValue().end()
    } else {
      magic_changes_leave()
      Unmanaged<AnyPropertyBox>.fromOpaque(subject)._withUnsafeGuaranteedRef { $0.unlock() }
    }
    self.subject = 0
    withExtendedLifetime(storage) {}
  }
}
