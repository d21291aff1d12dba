#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// What the parser needs to know about a range of bytes. Ranges instead of slices: a slice would
// retain the whole file once per line.
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

  /// Letters are compared without regard to case. Field names are ASCII.
  func isSameName(_ range: Range<Int>, as name: some Collection<UInt8>) -> Bool {
    range.count == name.count
      && zip(range, name).allSatisfy { self[$0].lowercased == $1.lowercased }
  }

  /// Printable ASCII without space and colon, and no hyphen in front.
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
  /// A space, a tab, or the carriage return that a file with CRLF line ends leaves on each line.
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
  /// Whether dpkg takes it as a name: letters, digits and `-+._`, with a letter or a digit in front.
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
