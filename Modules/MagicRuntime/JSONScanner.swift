/// Finds values in JSON text, without decoding the whole text. In text that is not JSON it finds
/// nothing, or a part that is JSON.
package struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  private var place: Int

  private init(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) {
    self.bytes = bytes
    self.place = place
    skipSpace()
  }

  // MARK: Functions of documents

  /// Returns the number of elements of an array, or of members of an object; nil for other text.
  package static func count(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var scanner = JSONScanner(bytes)
    var count = 0
    switch scanner.next {
    case UInt8(ascii: "["):
      return scanner.eachElement { _, _ in
        count += 1; return false
      } == nil ? nil : count
    case UInt8(ascii: "{"):
      return scanner.eachMember { _, _, _ in
        count += 1; return false
      } == nil ? nil : count
    default: return nil
    }
  }

  /// Returns whether an array contains an element, or an object a value, given as JSON. Texts and
  /// numbers are compared by their values, arrays and objects by their bytes.
  package static func contains(
    _ bytes: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer
  ) -> Bool {
    var scanner = JSONScanner(bytes)
    let wanted = JSONValue(element)
    func isWanted(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      return part.elementsEqual(element) || (wanted.isScalar && JSONValue(part).equals(wanted))
    }
    guard scanner.next == UInt8(ascii: "{") else { return scanner.eachElement(isWanted) ?? false }
    return scanner.eachMember { bytes, _, value in isWanted(bytes, value) } ?? false
  }

  /// Returns the value of a member of an object as JSON; nil if there is none.
  package static func member(
    _ bytes: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var scanner = JSONScanner(bytes)
    guard scanner.next == UInt8(ascii: "{") else { return nil }
    var found: UnsafeRawBufferPointer?
    _ = scanner.eachMember { bytes, name, value in
      guard JSONValue.text(UnsafeRawBufferPointer(rebasing: bytes[name]), equals: key) else {
        return false
      }
      found = UnsafeRawBufferPointer(rebasing: bytes[value])
      return true
    }
    return found
  }

  /// Calls a closure with the key, without its quotes, and the value of each member of an object.
  ///
  /// - Returns: whether the text is one object, and nothing else.
  package static func forEachMember(
    of bytes: UnsafeRawBufferPointer,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
  ) rethrows -> Bool {
    var scanner = JSONScanner(bytes)
    guard scanner.next == UInt8(ascii: "{") else { return false }
    let isComplete = try scanner.eachMember { bytes, key, value in
      try body(
        UnsafeRawBufferPointer(rebasing: bytes[key]), UnsafeRawBufferPointer(rebasing: bytes[value])
      )
      return false
    }
    return isComplete == false && scanner.skip(UInt8(ascii: "}")) && scanner.next == nil
  }

  /// Calls a closure with each element of an array.
  ///
  /// - Returns: whether the text is one array, and nothing else.
  package static func forEachElement(
    of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows -> Bool {
    var scanner = JSONScanner(bytes)
    let isComplete = try scanner.eachElement { bytes, element in
      try body(UnsafeRawBufferPointer(rebasing: bytes[element]))
      return false
    }
    return isComplete == false && scanner.skip(UInt8(ascii: "]")) && scanner.next == nil
  }

  // MARK: Elements

  /// Returns the offset of the element of an array that follows the element at an offset, or of the
  /// first one; nil at the end. The elements of an object are the values of its members.
  package static func element(after place: Int?, in bytes: UnsafeRawBufferPointer) -> Int? {
    var scanner = JSONScanner(bytes)
    let isObject = scanner.next == UInt8(ascii: "{")
    if let place {
      guard place < bytes.count else { return nil }
      scanner = JSONScanner(bytes, at: place)
      guard scanner.value() != nil, scanner.skip(UInt8(ascii: ",")) else { return nil }
    } else {
      guard isObject ? scanner.skip(UInt8(ascii: "{")) : scanner.skip(UInt8(ascii: "[")) else {
        return nil
      }
    }
    if isObject {
      guard scanner.next == UInt8(ascii: "\""), scanner.value() != nil,
        scanner.skip(UInt8(ascii: ":"))
      else { return nil }
    }
    let start = scanner.place
    return scanner.value() == nil ? nil : start
  }

  /// Returns the element at an offset; nil if there is none.
  package static func element(
    at place: Int, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard place >= 0, place < bytes.count else { return nil }
    var scanner = JSONScanner(bytes, at: place)
    return scanner.value().map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
  }

  // MARK: Scanning

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
  }

  /// Whether a byte is white space of JSON.
  @inline(__always)
  package static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09: true
    default: false
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    skipSpace()
    return true
  }

  /// Calls a closure with each element of an array, until it returns true.
  ///
  /// - Returns: whether the closure returned true; nil if the text is not an array.
  private mutating func eachElement(
    _ body: (UnsafeRawBufferPointer, Range<Int>) throws -> Bool
  ) rethrows -> Bool? {
    guard skip(UInt8(ascii: "[")) else { return nil }
    if next == UInt8(ascii: "]") { return false }
    while let value = value() {
      if try body(bytes, value) { return true }
      if next == UInt8(ascii: "]") { return false }
      guard skip(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  /// Calls a closure with the key, without its quotes, and the value of each member of an object,
  /// until it returns true.
  ///
  /// - Returns: whether the closure returned true; nil if the text is not an object.
  private mutating func eachMember(
    _ body: (UnsafeRawBufferPointer, _ key: Range<Int>, _ value: Range<Int>) throws -> Bool
  ) rethrows -> Bool? {
    guard skip(UInt8(ascii: "{")) else { return nil }
    if next == UInt8(ascii: "}") { return false }
    while next == UInt8(ascii: "\""), let key = value(), skip(UInt8(ascii: ":")),
      let value = value()
    {
      if try body(bytes, key.lowerBound + 1..<key.upperBound - 1, value) { return true }
      if next == UInt8(ascii: "}") { return false }
      guard skip(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  /// Skips a value and the white space after it.
  ///
  /// - Returns: the range of the value; nil if there is none.
  private mutating func value() -> Range<Int>? {
    let start = place
    switch next {
    case UInt8(ascii: "\""): guard skipText() else { return nil }
    case UInt8(ascii: "["), UInt8(ascii: "{"): guard skipContainer() else { return nil }
    default:
      while let next, !Self.isEnd(next) { place += 1 }
      guard place > start else { return nil }
    }
    let end = place
    skipSpace()
    return start..<end
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, 0x2C, 0x3A, 0x5D, 0x7D: true
    default: false
    }
  }

  private mutating func skipText() -> Bool {
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return true
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    return false
  }

  private mutating func skipContainer() -> Bool {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard skipText() else { return false }
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 { return true }
    }
    return false
  }
}
