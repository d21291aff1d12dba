/// Computes with the UTF-8 bytes of texts as `String` does. ASCII text, the usual case, needs no
/// string.
package enum TextComputation {
  /// Whether each byte is a character. "\r\n" is one character.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Without branches, so that the compiler can use vector instructions.
    var bits: UInt8 = 0
    var hasReturn = false
    for byte in bytes {
      bits |= byte
      hasReturn = hasReturn || byte == 0x0D
    }
    return bits < 0x80 && !hasReturn
  }

  /// Returns the number of characters.
  package static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    isPlain(bytes) ? bytes.count : String(decoding: bytes, as: UTF8.self).count
  }

  /// Returns the number of bytes of the first characters.
  package static func prefix(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Int {
    guard count > 0 else { return 0 }
    guard count < bytes.count else { return bytes.count }
    if isPlain(bytes) { return count }
    let text = String(decoding: bytes, as: UTF8.self)
    // Repaired text may be longer than invalid bytes.
    return min(text.prefix(count).utf8.count, bytes.count)
  }

  /// Returns the range of the bytes without white space at both ends.
  package static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    var (start, end) = (0, bytes.count)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    if start == end || (bytes[start] < 0x80 && bytes[end - 1] < 0x80) { return start..<end }
    let text = String(decoding: bytes, as: UTF8.self)
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return 0..<0 }
    let after = scalars.index(after: last)
    let range =
      text.utf8.distance(
        from: text.startIndex, to: first)..<text.utf8.distance(from: text.startIndex, to: after)
    return range.clamped(to: 0..<bytes.count)
  }

  /// Whether a byte is white space in ASCII.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  /// Calls a closure with the bytes of the text in lower or upper case.
  package static func withCase<Result>(
    _ isLower: Bool, of bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let first = UInt8(ascii: isLower ? "A" : "a")
    let converted: Result? = withUnsafeTemporaryAllocation(
      byteCount: bytes.count + 1, alignment: 1
    ) { copy in
      // Without branches, so that the compiler can use vector instructions.
      var bits: UInt8 = 0
      for (index, byte) in bytes.enumerated() {
        bits |= byte
        copy[index] = byte ^ (byte &- first < 26 ? 32 : 0)
      }
      return bits < 0x80 ? body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])) : nil
    }
    if let converted { return converted }
    let text = String(decoding: bytes, as: UTF8.self)
    var other = isLower ? text.lowercased() : text.uppercased()
    return other.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
