public import CMagicRuntime
public import Magical

/// The string of a text in a fetched row, which was read twice. Reading it again creates no string:
/// sorting people by name reads each name many times. A text that is read once creates only its string,
/// which the program owns.
///
/// The chunk of the row retains it. The slot contains its address with `Place.objectMark`.
@usableFromInline
package final class KeptText {
  // First, where `Place.init(word:)` reads it: at `Place.offsetInObject`.
  private let place: _MagicalPackedValue.Place
  @usableFromInline let text: String

  fileprivate init(_ text: String, at place: _MagicalPackedValue.Place) {
    self.place = place
    self.text = text
  }

  /// The sizes of the texts that are kept, in bytes. A string contains a shorter text itself, and
  /// longer texts would take much memory a second time.
  @inlinable static var sizes: Range<UInt32> { 16..<1024 }
}

extension PackedRow {
  /// Returns a text of the row, which is not NULL.
  @inlinable @inline(__always)
  func text(_ column: Int) -> String {
    let slot = slot(column).assumingMemoryBound(to: UInt64.self)
    let word = magic_word_load(slot)
    if word >= _MagicalPackedValue.Place.readMark { return textReadBefore(column) }
    let place = _MagicalPackedValue.Place(word: word)
    // Without a lock: a mark that is lost, or that replaces an address, has no other effect than that the
    // text is kept later or again.
    if KeptText.sizes ~= place.count {
      magic_word_store_relaxed(slot, word | _MagicalPackedValue.Place.readMark)
    }
    return string(of: word)
  }

  /// Returns a text that was read before. It is kept, unless another read has kept it.
  @inlinable @inline(never)
  func textReadBefore(_ column: Int) -> String {
    let word = magic_word_load(slot(column).assumingMemoryBound(to: UInt64.self))
    guard word & _MagicalPackedValue.Place.objectMark != 0 else { return keepText(column, word) }
    let address = UnsafeRawPointer(bitPattern: UInt(word & ~_MagicalPackedValue.Place.objectMark))
    return Unmanaged<KeptText>.fromOpaque(address.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.text }
  }

  /// Keeps a text. Other threads may do so too; the last one is found in the slot.
  ///
  /// - Parameter word: the content of the slot, which is not an address.
  @usableFromInline
  func keepText(_ column: Int, _ word: UInt64) -> String {
    let kept = KeptText(string(of: word), at: _MagicalPackedValue.Place(word: word))
    chunk.keep(kept)
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(kept).toOpaque()))
    magic_word_store(
      slot(column).assumingMemoryBound(to: UInt64.self),
      address | _MagicalPackedValue.Place.objectMark)
    return kept.text
  }

  /// Creates the string of a slot. Its bytes were validated when the row was packed.
  ///
  /// - Parameter word: the content of the slot, which is not an address.
  @inlinable @inline(__always)
  func string(of word: UInt64) -> String {
    let place = _MagicalPackedValue.Place(word: word)
    let isASCII = word & _MagicalPackedValue.Place.asciiMark != 0
    let bytes = _MagicalPackedValue(slot: address, row: address).bytes(at: place)
    return String(validated: bytes.assumingMemoryBound(to: UInt8.self), isASCII: isASCII)
  }
}
