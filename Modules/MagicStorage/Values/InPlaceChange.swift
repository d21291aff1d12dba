import CMagicRuntime
import MagicRuntime
public import Magical

/// An in-place change of a property, as in `object.list.append(x)`, from its start to its end.
///
/// In Swift an in-place change can include an `await`: when a mutating `async` method is called on
/// the property, and when the property is passed `inout` to an `async` function. Between start and
/// end the thread then runs other tasks, and the change can end on another thread. A lock must not
/// be held for that time. So there are two kinds of changes:
///
/// - An **atomic** change cannot suspend. It holds the lock of the property and changes the value
///   in place: no copy is made, and other tasks wait until the change ends.
/// - A **detached** change may suspend. It holds no lock and changes a copy of the value. When the
///   change ends, the copy replaces the value of the property; see ``DetachedChange``.
///
/// The address of this structure determines the kind. A variable that is used both before and after
/// a suspension cannot be on the stack of a thread: the compiler allocates it in the frame of the
/// asynchronous function, which is heap memory. A change whose structure cannot outlive a
/// suspension is therefore atomic. Every other change may suspend, and is detached.
@frozen @usableFromInline
package struct InPlaceChange {
  /// The box of an atomic change; for a detached change, a retained ``AnyDetachedChange`` with the
  /// lowest bit set. The state is one word, so that what an accessor keeps during its `yield` fits
  /// into the buffer that the caller provides.
  @usableFromInline package var subject: UInt = 0

  @inlinable
  package init() {}

  /// Begins the change of a property.
  ///
  /// - Returns: a pointer to the value, or to the copy of it.
  @inlinable
  package mutating func begin<Value: Magical & Sendable>(
    _ property: PropertyReference, _ type: Value.Type
  ) -> UnsafeMutablePointer<Value?> {
    if Value._packing == .lazy { return detach(property.lazyChange(Value.self)) }
    let box = property.boxForChange(Value.self)
    guard beginAtomic(box) else { return detach(box.detachedChange()) }
    box.lockForChange()
    if !box.isChanged { box.keepSavedValue() }
    box.markAssigned()
    return box.place
  }

  /// Begins an atomic change and returns true, after which the caller takes the lock; returns false
  /// if the change must be detached.
  ///
  /// This function is not inlined and takes the structure by reference, so that the compiler
  /// allocates the structure on the stack where possible.
  @usableFromInline @inline(never)
  package mutating func beginAtomic(_ box: AnyPropertyBox) -> Bool {
    guard magic_is_bound_to_stack(&self) || CurrentTask.identifier == nil else { return false }
    let reference = Unmanaged.passUnretained(box).toOpaque()
    subject = UInt(bitPattern: reference)
    magic_changes_enter(reference)
    return true
  }

  @inlinable
  package mutating func detach<Value: Sendable>(
    _ change: DetachedChange<Value>
  ) -> UnsafeMutablePointer<Value?> {
    subject = UInt(bitPattern: Unmanaged.passRetained(change).toOpaque()) | 1
    return change.place
  }

  /// Ends the change: releases the lock, or stores the changed copy in the property.
  ///
  /// - Parameter storage: the storage that retains the box of the property until the end of the
  ///   change.
  @usableFromInline @inline(never)
  package mutating func end(keeping storage: PropertyStorage) {
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

extension PropertyReference {
  /// Changes the value of a property in place.
  ///
  /// - Parameter body: must not use the property in another way.
  package func change<Value: Magical & Sendable>(
    _ type: Value.Type, _ body: (inout Value?) -> Void
  ) {
    var change = InPlaceChange()
    let storage = self.storage
    let place = change.begin(self, type)
    defer { change.end(keeping: storage) }
    body(&place.pointee)
  }
}
