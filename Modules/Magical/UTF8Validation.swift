/// Validates UTF-8. Each text is validated once, when it is read.
@usableFromInline
package enum UTF8Validation {
  /// Returns whether the bytes are valid UTF-8.
  ///
  /// Text that is not ASCII is decoded by the standard library, which repairs invalid sequences: the
  /// bytes are valid if decoding does not change them.
  @inlinable @inline(__always)
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isASCII(bytes) || isValidByDecoding(bytes)
  }

  /// Returns whether all bytes are ASCII. They are checked eight at a time.
  @inlinable @inline(__always)
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let count = bytes.count
    var index = 0
    while index &+ 8 <= count {
      let word = (start + index).loadUnaligned(as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    if count >= 8 {
      // The last eight bytes. They overlap with bytes that are already checked.
      let word = (start + (count &- 8)).loadUnaligned(as: UInt64.self)
      return word & 0x8080_8080_8080_8080 == 0
    }
    while index < count {
      if start.load(fromByteOffset: index, as: UInt8.self) & 0x80 != 0 { return false }
      index &+= 1
    }
    return true
  }

  /// The same by decoding, for bytes that are not ASCII.
  @usableFromInline
  package static func isValidByDecoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var text = String(decoding: bytes, as: UTF8.self)
    return text.withUTF8 { $0.elementsEqual(bytes) }
  }
}
