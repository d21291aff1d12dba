import Foundation

/// The form in which texts are stored. PostgreSQL has no NUL character, so the characters U+0000 to
/// U+0003 are replaced by three: U+0001, and two of U+0002 and U+0003.
///
/// Different texts stay different, their order by bytes stays the same, and a part of a text stays a
/// part of it.
package enum PostgreSQLText {
  /// Whether a text contains a character that is replaced.
  package static func needsEscape(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The high bit of each byte that is less than 4.
      let found = (word &- 0x0404_0404_0404_0404) & ~word & 0x8080_8080_8080_8080
      if found != 0 { return true }
      index += 8
    }
    return text[index...].contains { $0 < 4 }
  }

  /// Writes the stored form.
  package static func escape(
    _ text: UnsafeRawBufferPointer, _ write: (UInt8) -> Void
  ) {
    for byte in text {
      guard byte < 4 else {
        write(byte)
        continue
      }
      write(1)
      write(2 | byte >> 1)
      write(2 | byte & 1)
    }
  }

  /// Returns the text of a stored form; nil if it is that form itself, which is the usual case.
  package static func unescape(_ stored: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let start = stored.baseAddress, memchr(start, 1, stored.count) != nil else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(stored.count)
    var index = 0
    while index < stored.count {
      let byte = stored[index]
      guard byte == 1, index + 2 < stored.count, stored[index + 1] & ~1 == 2,
        stored[index + 2] & ~1 == 2
      else {
        text.append(byte)
        index += 1
        continue
      }
      text.append((stored[index + 1] & 1) << 1 | stored[index + 2] & 1)
      index += 3
    }
    return text
  }
}
