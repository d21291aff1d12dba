/// Computes with the UTF-8 bytes of texts as `String` does. ASCII text, the usual case, needs no
/// string.
package enum TextComputation {
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // "\r\n" is one character.
    bytes.allSatisfy { $0 < 0x80 && $0 != 0x0D }
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
    guard let first = bytes.first, let last = bytes.last else { return 0..<0 }
    if first > 0x20, first < 0x80, last > 0x20, last < 0x80 { return 0..<bytes.count }
    let text = String(decoding: bytes, as: UTF8.self)
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return 0..<0 }
    let after = scalars.index(after: end)
    let range =
      text.utf8.distance(
        from: text.startIndex, to: start)..<text.utf8.distance(from: text.startIndex, to: after)
    return range.clamped(to: 0..<bytes.count)
  }

  /// Calls a closure with the bytes of the text in lower or upper case.
  package static func withCase<Result>(
    _ isLower: Bool, of bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      let text = String(decoding: bytes, as: UTF8.self)
      var converted = isLower ? text.lowercased() : text.uppercased()
      return converted.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
    let first = UInt8(ascii: isLower ? "A" : "a")
    let letters = first...first + 25
    return withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { copy in
      for index in bytes.indices {
        copy[index] = letters.contains(bytes[index]) ? bytes[index] ^ 32 : bytes[index]
      }
      return body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
    }
  }
}
