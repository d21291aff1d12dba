public import MagicRuntime

/// The value that a changed property had when its object was last fetched or saved.
@usableFromInline
package enum SavedValue {
  /// A box with the value, which is not used as a property.
  case box(AnyPropertyBox)
  /// The bytes of a trivial value of at most one word.
  case word(UInt)
  case null

  /// The box with the value; nil if the value has none.
  var box: AnyPropertyBox? {
    if case .box(let box) = self { box } else { nil }
  }
}

extension AnyPropertyBox {
  /// The kinds of saved values, in the flags of a box.
  @usableFromInline enum SavedKind {
    @inlinable static var none: UInt32 { 0 }
    @inlinable static var box: UInt32 { 32 }
    @inlinable static var word: UInt32 { 64 }
    @inlinable static var null: UInt32 { 96 }
    @inlinable static var mask: UInt32 { 96 }
  }

  /// Sets a saved value without a box, where there was none. Called with the lock held.
  ///
  /// - Parameter word: the bytes of the value; nil for NULL.
  @inlinable
  final func keepSavedWord(_ word: UInt?) {
    if let word { savedWord = word }
    savedKind = word == nil ? SavedKind.null : SavedKind.word
  }

  /// The kind of the saved value. Assigned as a whole: `&=` would access the lock beside the flags.
  @inlinable final var savedKind: UInt32 {
    get { header.pointee.flags & SavedKind.mask }
    set { header.pointee.flags = header.pointee.flags & ~SavedKind.mask | newValue }
  }

  /// The value that the changed property had when its object was last fetched or saved; nil if the
  /// fetched row contains it. Used while the lock is held.
  final var savedValue: SavedValue? {
    get {
      switch savedKind {
      case SavedKind.box:
        UnsafeRawPointer(bitPattern: savedWord).map {
          .box(Unmanaged<AnyPropertyBox>.fromOpaque($0).takeUnretainedValue())
        }
      case SavedKind.word: .word(savedWord)
      case SavedKind.null: .null
      default: nil
      }
    }
    set {
      releaseSavedBox()
      savedKind = SavedKind.none
      switch newValue {
      case .box(let box):
        savedWord = UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
        savedKind = SavedKind.box
      case .word(let word): keepSavedWord(word)
      case .null: keepSavedWord(nil)
      case nil: break
      }
    }
  }

  /// Releases the box of the saved value.
  final func releaseSavedBox() {
    guard savedKind == SavedKind.box,
      let box = UnsafeRawPointer(bitPattern: savedWord)
    else { return }
    Unmanaged<AnyPropertyBox>.fromOpaque(box).release()
  }

  /// Keeps the value before the first change since the object was fetched or saved. Called with the
  /// lock held, while the property is unchanged.
  @usableFromInline
  final func keepSavedCopy() {
    if !hasFetchedValue { savedValue = makeSavedCopy().map(SavedValue.box) }
  }

  /// Removes the saved value. Called with the lock held.
  ///
  /// - Returns: the value, which the caller releases after unlocking.
  @usableFromInline
  final func takeSavedValue() -> SavedValue? {
    let kind = savedKind
    guard kind != SavedKind.none else { return nil }
    savedKind = SavedKind.none
    switch kind {
    case SavedKind.word: return .word(savedWord)
    case SavedKind.null: return .null
    default:
      return UnsafeRawPointer(bitPattern: savedWord).map {
        .box(Unmanaged<AnyPropertyBox>.fromOpaque($0).takeRetainedValue())
      }
    }
  }
}

extension PropertyBox {
  /// Keeps the value before the first change since the object was fetched or saved. Called with the
  /// lock held, while the property is unchanged.
  @inlinable
  final func keepSavedValue() {
    guard Self.isWord else { return keepSavedCopy() }
    guard !hasFetchedValue else { return }
    guard let value else { return keepSavedWord(nil) }
    var word: UInt = 0
    withUnsafeMutableBytes(of: &word) { $0.storeBytes(of: value, as: Value.self) }
    keepSavedWord(word)
  }

  /// Whether a value is trivial and fits into one word.
  @inlinable static var isWord: Bool {
    _isPOD(Value.self) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// Returns a box with a saved value of this property.
  final func box(with saved: SavedValue?) -> PropertyBox? {
    switch saved {
    case .box(let box): box as? PropertyBox
    case .word(let word):
      withUnsafeBytes(of: word) { PropertyBox($0.load(as: Value.self), isChanged: false) }
    case .null: PropertyBox(nil, isChanged: false)
    case nil: nil
    }
  }
}
