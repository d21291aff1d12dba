import MagicRuntime

extension JSONText {
  /// Whether bytes are one value of JSON, with everything that it contains. Keys of an object may be equal.
  ///
  /// - Parameter depth: the largest number of arrays and objects that contain each other.
  package static func isValue(_ bytes: UnsafeRawBufferPointer, depth: Int = .max) -> Bool {
    var checker = ValueChecker(bytes: bytes, limit: depth)
    return checker.isValue()
  }
}

/// Reads a value without recursion, because hostile JSON can be nested as deep as the file is long.
private struct ValueChecker {
  let bytes: UnsafeRawBufferPointer
  let limit: Int
  private var place = 0
  /// Whether each container around the place is an object.
  private var objects: [Bool] = []

  init(bytes: UnsafeRawBufferPointer, limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let next, JSONScanner.isSpace(next) { place += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    skipSpace()
    return true
  }

  mutating func isValue() -> Bool {
    skipSpace()
    while true {
      guard let isComplete = beginValue() else { return false }
      guard isComplete else { continue }
      guard let hasMore = endValue() else { return false }
      if !hasMore { return place == bytes.count }
    }
  }

  /// Reads a scalar, an empty container, or the beginning of another one up to its first value.
  ///
  /// - Returns: whether the value is complete; nil if it is not JSON.
  private mutating func beginValue() -> Bool? {
    let isObject = next == UInt8(ascii: "{")
    guard isObject || next == UInt8(ascii: "[") else { return skipScalar() ? true : nil }
    guard objects.count < limit else { return nil }
    place += 1
    skipSpace()
    if skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return true }
    objects.append(isObject)
    return !isObject || skipKey() ? false : nil
  }

  /// Reads what follows a value, up to the next one or to the end.
  ///
  /// - Returns: whether another value follows; nil if the text is not JSON.
  private mutating func endValue() -> Bool? {
    while let isObject = objects.last {
      if skip(UInt8(ascii: ",")) { return !isObject || skipKey() ? true : nil }
      guard skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return nil }
      objects.removeLast()
    }
    return false
  }

  private mutating func skipKey() -> Bool { skipText() && skip(UInt8(ascii: ":")) }

  private mutating func skipText() -> Bool {
    guard next == UInt8(ascii: "\"") else { return false }
    let start = place + 1
    place = start
    while let next, next != UInt8(ascii: "\"") { place += next == UInt8(ascii: "\\") ? 2 : 1 }
    guard place < bytes.count,
      JSONText.isValid(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
    else { return false }
    place += 1
    skipSpace()
    return true
  }

  private mutating func skipScalar() -> Bool {
    guard next != UInt8(ascii: "\"") else { return skipText() }
    let start = place
    while let next, !Self.isEnd(next) { place += 1 }
    let scalar = UnsafeRawBufferPointer(rebasing: bytes[start..<place])
    skipSpace()
    return JSONText.isNumber(scalar)
      || Self.literals.contains { scalar.elementsEqual($0) }
  }

  private static let literals = ["null", "true", "false"].map { Array($0.utf8) }

  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: JSONScanner.isSpace(byte)
    }
  }
}
