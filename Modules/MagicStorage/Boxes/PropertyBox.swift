public import MagicRuntime

/// The part of a property box that does not depend on the type of the value: the changed flag, the
/// line that declares the property, and the record of the object.
@usableFromInline
package class AnyPropertyBox: PropertyStorage {
  // An `ObjectRecord`, accessed only through `recordSlot`.
  @exclusivity(unchecked) private var storedRecord: UnsafeRawPointer?
  // The box or the bytes of `savedValue`.
  @exclusivity(unchecked) @usableFromInline final var savedWord: UInt = 0

  @usableFromInline
  package init(isChanged: Bool, line: UInt) {
    super.init()
    header.pointee.flags =
      UInt32(truncatingIfNeeded: line) << Flag.count
      | (isChanged ? Flag.isChanged : 0)
  }

  deinit {
    if let record = storedRecord { Unmanaged<Locked>.fromOpaque(record).release() }
    releaseSavedBox()
    if hasChangeHistory { DetachedChanges.shared.forget(self) }
  }

  /// The flags occupy one bit each; the higher bits contain the line.
  @usableFromInline package enum Flag {
    @inlinable static var isChanged: UInt32 { 1 }
    @inlinable static var isDeferred: UInt32 { 2 }
    @inlinable static var hasDetachedChanges: UInt32 { 4 }
    @inlinable static var hasChangeHistory: UInt32 { 8 }
    @inlinable static var hasFetchedValue: UInt32 { 16 }
    // The next two bits contain the `SavedKind`.
    @inlinable package static var isAssigned: UInt32 { 128 }
    @inlinable static var count: UInt32 { 8 }
  }

  @inlinable
  package final subscript(flag: UInt32) -> Bool {
    get { header.pointee.flags & flag != 0 }
    set { header.pointee.flags = header.pointee.flags & ~flag | (newValue ? flag : 0) }
  }

  /// Whether the value was changed since the object was fetched or saved. Used while the lock is
  /// held.
  @inlinable
  package final var isChanged: Bool {
    get { self[Flag.isChanged] }
    set { self[Flag.isChanged] = newValue }
  }

  /// Records that the program has set the property. Called with the lock held.
  @inlinable
  final func markAssigned() {
    header.pointee.flags = header.pointee.flags | Flag.isChanged | Flag.isAssigned
  }

  /// Whether the value must still be created from the rows it refers to. Used while the lock is
  /// held.
  @inlinable
  package final var isDeferred: Bool {
    get { self[Flag.isDeferred] }
    set { self[Flag.isDeferred] = newValue }
  }

  /// Whether the property has detached changes in progress. Used while the lock is held.
  @inlinable
  package final var hasDetachedChanges: Bool {
    get { self[Flag.hasDetachedChanges] }
    set { self[Flag.hasDetachedChanges] = newValue }
  }

  /// Whether the property has a ``ChangeHistory``. Used while the lock is held.
  @inlinable
  package final var hasChangeHistory: Bool {
    get { self[Flag.hasChangeHistory] }
    set { self[Flag.hasChangeHistory] = newValue }
  }

  /// Whether the property was not saved since it was fetched, so that the fetched row contains its
  /// saved value. Used while the lock is held.
  @inlinable
  final var hasFetchedValue: Bool {
    get { self[Flag.hasFetchedValue] }
    set { self[Flag.hasFetchedValue] = newValue }
  }

  /// Creates a box of this class for a fetched collection, without a lookup of the class, which is
  /// generic. Only the boxes of relationships contain collections.
  package class func makeBox(of links: LinkSlice) -> AnyPropertyBox {
    AnyPropertyBox(isChanged: false, line: 0)
  }

  /// Returns a box with the current value, to be the ``SavedValue``; nil if the value need not be kept.
  /// Called with the lock held.
  func makeSavedCopy() -> AnyPropertyBox? { nil }

  /// Whether the property is a relationship that the query of the object did not load. Used while
  /// the lock is held.
  package var isExcluded: Bool { false }

  /// Whether the current value is not necessarily the one in the box. Used while the lock is held.
  @inlinable
  final var needsSlowPath: Bool { self[Flag.isDeferred | Flag.hasDetachedChanges] }

  /// The line that declares the property; 0 if it is unknown.
  package final var line: Int { Int(header.pointee.flags >> Flag.count) }

  /// The declaration of the property; nil if the property has had a value from the start.
  package var origin: PropertyOrigin? { nil }

  /// A pointer to the reference to the ``ObjectRecord``. Only the box of an object's first property
  /// has a record.
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

/// The value of one property, with its own lock.
///
/// A property of a new object has a box from the start. A property of a fetched object gets one
/// when it is changed.
@usableFromInline
package class PropertyBox<Value: Sendable>: AnyPropertyBox {
  /// The value; nil for NULL and for a value that was never set. Used while the lock is held.
  @exclusivity(unchecked) @usableFromInline package final var value: Value?

  @inlinable @inline(__always)
  package init(_ value: Value?, isChanged: Bool, line: UInt = 0) {
    self.value = value
    super.init(isChanged: isChanged, line: line)
  }

  /// Creates a box without a value.
  init(isChanged: Bool) {
    value = nil
    super.init(isChanged: isChanged, line: 0)
  }

  /// The value in the box. Used while the lock is held.
  @inlinable
  package final var presentValue: Value? { value }

  @inlinable
  package final func load() -> Value? {
    lock()
    guard needsSlowPath else {
      defer { unlock() }
      return value
    }
    unlock()
    return loadOnSlowPath()
  }

  @inlinable
  package final func store(_ newValue: Value?) {
    // The old value is released after unlocking, because releasing it may run code of the user.
    lock()
    if hasDetachedChanges { waitForDetachedChanges(onlyMoved: false) }
    if !isChanged { keepSavedValue() }
    let old = value
    value = newValue
    markAssigned()
    isDeferred = false
    unlock()
    withExtendedLifetime(old) {}
  }

  /// Creates the value of a deferred box. Called without the lock, because it may run code of the
  /// user.
  ///
  /// - Parameter isKept: whether the value is stored in the box in any case.
  @usableFromInline
  func deferredValue(isKept: Bool) -> Value? { withLock { value } }

  override func makeSavedCopy() -> AnyPropertyBox? { PropertyBox(value, isChanged: false) }

  /// Returns a box with the state of this one. Called with the lock held.
  package func makeCopy() -> PropertyBox<Value> { PropertyBox(value, isChanged: isChanged) }

  /// Returns a box whose value is created from the saved members of a collection; nil if that is not
  /// possible. Called with the lock held.
  func makeCopyOfLinks() -> PropertyBox<Value>? { nil }

  /// Takes over the value of another box, which other threads do not use. Called with the lock held.
  func assumeValue(of other: PropertyBox<Value>) {
    value = other.value
    isDeferred = other.isDeferred
  }

  /// Takes over the record of the saved rows. Called with the lock held.
  func assumeLinks(of other: PropertyBox<Value>) {}
}

/// The box of a property that may be read before it is set. It contains the declaration of the
/// property for the error message.
@usableFromInline
package final class DeclaredPropertyBox<Value: Sendable>: PropertyBox<Value> {
  @usableFromInline let declaration: PropertyOrigin

  // Inlined where the type of the value is known: elsewhere its metadata would be looked up for
  // each object.
  @inlinable
  package init(type: StaticString, file: StaticString, line: UInt) {
    declaration = PropertyOrigin(typeName: type.utf8Start, file: file.utf8Start)
    super.init(nil, isChanged: true, line: line)
  }

  package override var origin: PropertyOrigin? { declaration }
}

/// The declaration of a property: static, NUL-terminated strings.
@usableFromInline
package struct PropertyOrigin {
  @usableFromInline package let typeName: UnsafePointer<UInt8>
  /// The module and the file, for example `Main/Person.swift`.
  @usableFromInline package let file: UnsafePointer<UInt8>

  @inlinable
  init(typeName: UnsafePointer<UInt8>, file: UnsafePointer<UInt8>) {
    self.typeName = typeName
    self.file = file
  }
}
