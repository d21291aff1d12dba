public import MagicRuntime

/// What every box has, whatever its value's type: whether the value was changed, the line that
/// declares the property, and the record of the object.
@usableFromInline
package class AnyPropertyBox: PropertyStorage {
  // An `ObjectRecord`, reached through `recordSlot` alone.
  @exclusivity(unchecked) private var storedRecord: UnsafeRawPointer?

  @usableFromInline
  init(isChanged: Bool, line: UInt) {
    super.init()
    header.pointee.flags =
      UInt32(truncatingIfNeeded: line) << Flag.count
      | (isChanged ? Flag.isChanged : 0)
  }

  deinit {
    if let record = storedRecord { Unmanaged<Locked>.fromOpaque(record).release() }
    if hasChangeHistory { DetachedChanges.shared.forget(self) }
  }

  /// One bit of the header each; above them is the line.
  @usableFromInline enum Flag {
    @inlinable static var isChanged: UInt32 { 1 }
    @inlinable static var isDeferred: UInt32 { 2 }
    @inlinable static var hasDetachedChanges: UInt32 { 4 }
    @inlinable static var hasChangeHistory: UInt32 { 8 }
    @inlinable static var count: UInt32 { 4 }
  }

  @inlinable
  final subscript(flag: UInt32) -> Bool {
    get { header.pointee.flags & flag != 0 }
    set { header.pointee.flags = header.pointee.flags & ~flag | (newValue ? flag : 0) }
  }

  /// Whether the value was changed since the object was loaded or saved. Used inside `withLock`.
  @inlinable
  package final var isChanged: Bool {
    get { self[Flag.isChanged] }
    set { self[Flag.isChanged] = newValue }
  }

  /// Whether the value is still to be made from the rows it refers to. Used inside `withLock`.
  @inlinable
  package final var isDeferred: Bool {
    get { self[Flag.isDeferred] }
    set { self[Flag.isDeferred] = newValue }
  }

  /// Whether detached changes of the property have not ended. Used inside `withLock`.
  @inlinable
  package final var hasDetachedChanges: Bool {
    get { self[Flag.hasDetachedChanges] }
    set { self[Flag.hasDetachedChanges] = newValue }
  }

  /// Whether there is a ``ChangeHistory``. Used inside `withLock`.
  @inlinable
  package final var hasChangeHistory: Bool {
    get { self[Flag.hasChangeHistory] }
    set { self[Flag.hasChangeHistory] = newValue }
  }

  /// Whether the value is not simply what is in the box. Used inside `withLock`.
  @inlinable
  final var needsCare: Bool { self[Flag.isDeferred | Flag.hasDetachedChanges] }

  /// The line that declares the property; 0 where it is unknown.
  package final var line: Int { Int(header.pointee.flags >> Flag.count) }

  /// Who declares the property; nil where it has had a value from the start.
  var origin: PropertyOrigin? { nil }

  /// The place of the ``ObjectRecord``, filled in the box of an object's first property alone.
  @inlinable
  package final var recordSlot: UnsafeMutablePointer<UnsafeRawPointer?> {
    (Unmanaged.passUnretained(self).toOpaque() + Self.recordOffset)
      .assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  @inlinable package static var recordOffset: Int {
    headerOffset + MemoryLayout<Header>.size
  }
}

extension PropertyReference {
  @inlinable package init(box: AnyPropertyBox) { self.init(storage: box, location: 0) }
}

/// One property's value with a lock of its own.
///
/// A property of a new object has one from the start, a property of a fetched object gets one when
/// it is changed.
@usableFromInline
package class PropertyBox<Value: Sendable>: AnyPropertyBox {
  /// Nil for NULL and for a value that was never set. Touched inside `withLock` alone.
  @exclusivity(unchecked) @usableFromInline package final var value: Value?

  @inlinable @inline(__always)
  package init(_ value: Value?, isChanged: Bool, line: UInt = 0) {
    self.value = value
    super.init(isChanged: isChanged, line: line)
  }

  /// The value as it is. Used inside `withLock`.
  @inlinable
  package final var presentValue: Value? { value }

  @inlinable
  package final func load() -> Value? {
    lock()
    guard needsCare else {
      defer { unlock() }
      return value
    }
    unlock()
    return loadWithCare()
  }

  @inlinable
  package final func store(_ newValue: Value?) {
    // The old value ends outside the lock: its end may run code of the user's.
    lock()
    if hasDetachedChanges { waitForDetachedChanges(taken: false) }
    let old = value
    value = newValue
    isChanged = true
    isDeferred = false
    unlock()
    withExtendedLifetime(old) {}
  }

  /// Makes the value of a deferred box. Called outside the lock: it may run code of the user's.
  ///
  /// - Parameter isKept: whether the value is put in place in any case.
  @usableFromInline
  func deferredValue(isKept: Bool) -> Value? { withLock { value } }
}

/// The box of a property that may be read before it is set, which then says whose property it is.
@usableFromInline
package final class DeclaredPropertyBox<Value: Sendable>: PropertyBox<Value> {
  @usableFromInline let declaration: PropertyOrigin

  // Inlined where the value's type is known: elsewhere it would be looked up for each object.
  @inlinable
  package init(type: StaticString, file: StaticString, line: UInt) {
    declaration = PropertyOrigin(typeName: type.utf8Start, file: file.utf8Start)
    super.init(nil, isChanged: true, line: line)
  }

  override var origin: PropertyOrigin? { declaration }
}

/// Where a property is declared: texts that live for ever, and end with a NUL character.
@usableFromInline
struct PropertyOrigin {
  @usableFromInline let typeName: UnsafePointer<UInt8>
  /// Module and file, as in `Main/Person.swift`.
  @usableFromInline let file: UnsafePointer<UInt8>

  @inlinable
  init(typeName: UnsafePointer<UInt8>, file: UnsafePointer<UInt8>) {
    self.typeName = typeName
    self.file = file
  }
}
