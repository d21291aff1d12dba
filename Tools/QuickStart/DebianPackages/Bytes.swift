#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Tests and searches of ranges of bytes, for the parser. Ranges instead of slices, because each
// slice would retain the file.
extension [UInt8] {
  func firstNewline(in range: Range<Int>) -> Int? { first(UInt8(ascii: "\n"), in: range) }

  func firstColon(in range: Range<Int>) -> Int? { first(UInt8(ascii: ":"), in: range) }

  func trimmingTrailingBlanks(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, self[end - 1].isBlank { end -= 1 }
    return range.lowerBound..<end
  }

  func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
    let range = trimmingTrailingBlanks(range)
    var start = range.lowerBound
    while start < range.upperBound, self[start].isBlank { start += 1 }
    return start..<range.upperBound
  }

  /// Compares field names case-insensitively. Field names are ASCII.
  func isSameName(_ range: Range<Int>, as name: some Collection<UInt8>) -> Bool {
    range.count == name.count
      && zip(range, name).allSatisfy { self[$0].lowercased == $1.lowercased }
  }

  /// Whether a range is a field name: printable ASCII without spaces and colons, not starting with
  /// a hyphen.
  func isFieldName(_ range: Range<Int>) -> Bool {
    guard let first = range.first, self[first] != UInt8(ascii: "-") else { return false }
    return range.allSatisfy { 0x21...0x7E ~= self[$0] && self[$0] != UInt8(ascii: ":") }
  }

  func isUTF8(_ range: Range<Int>) -> Bool {
    withUnsafeBufferPointer { buffer in
      let line = UnsafeBufferPointer(rebasing: buffer[range])
      // Nearly every line of a package file is plain ASCII.
      if line.reduce(0, |) < 0x80 { return true }
      var iterator = line.makeIterator()
      var decoder = UTF8()
      while true {
        switch decoder.decode(&iterator) {
        case .scalarValue: continue
        case .emptyInput: return true
        case .error: return false
        }
      }
    }
  }

  private func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress,
        let found = memchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}

extension UInt8 {
  /// Whether the byte is a space, a tab, or the carriage return of a CRLF line end.
  var isBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }

  var lowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }

  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased }
}

extension Collection<UInt8> {
  /// Whether dpkg accepts the bytes as a name: letters, digits and `-+._`, starting with a letter
  /// or digit.
  var isPackageName: Bool {
    guard let first, first.isLetter || first.isDigit else { return false }
    return allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "_"): true
      default: byte.isLetter || byte.isDigit
      }
    }
  }
}
