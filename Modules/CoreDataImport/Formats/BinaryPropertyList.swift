/// A binary property list, in the format `bplist00`. Objects are read when they are used.
///
/// `PropertyListSerialization` hides the references of a keyed archive on Linux, and this reader
/// accepts lists of unknown origin: it does not recurse, and reads a limited number of elements.
final class BinaryPropertyList {
  /// An object. Arrays and dictionaries contain the numbers of other objects.
  enum Object {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive.
    case uid(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  struct Fault: Error {
    let reason: String
  }

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let tableOffset: Int
  /// The number of objects.
  let count: Int
  /// The number of the top object.
  let top: Int
  /// The number of elements that can be read: of a large list, each one many times.
  private var budget: Int
  /// The keys that were read, by the numbers of their objects.
  private var keys: [Int: String] = [:]
  private static let mostKeys = 1_000

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    budget = max(4_000_000, 16 * bytes.count)
    guard bytes.count >= 40, bytes.starts(with: Array("bplist00".utf8)) else {
      throw Fault(reason: "it is not a binary property list")
    }
    let trailer = bytes.count - 32
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), top < count, table < trailer,
      count <= (trailer - table) / offsetSize
    else { throw Fault(reason: "the end of the property list is missing or damaged") }
    (self.count, self.top, tableOffset) = (count, top, table)
  }

  /// Reads an object. The size of the list limits the time.
  func object(_ number: Int) throws -> Object {
    guard (0..<count).contains(number),
      let offset = Self.number(bytes, tableOffset + number * offsetSize, offsetSize),
      offset < tableOffset
    else { throw Fault(reason: "it refers to an object that does not exist") }
    let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0xF))
    switch kind {
    case 0x0:
      switch low {
      case 0: return .null
      case 8, 9: return .bool(low == 9)
      default: throw Fault(reason: "it has an object of an unknown kind")
      }
    case 0x1: return .integer(try integer(offset + 1, 1 << min(low, 4)))
    case 0x2:
      guard let real = try real(offset + 1, 1 << min(low, 4)) else { break }
      return .real(real)
    case 0x3:
      guard let date = try real(offset + 1, 8) else { break }
      return .date(date)
    case 0x4:
      let (length, start) = try length(low, offset)
      return .data(Array(try slice(start, length)))
    case 0x5:
      let (length, start) = try length(low, offset)
      return .string(String(decoding: try slice(start, length), as: UTF8.self))
    case 0x6:
      let (length, start) = try length(low, offset)
      let units = try slice(start, length, 2)
      return .string(
        String(
          decoding: stride(from: units.startIndex, to: units.endIndex, by: 2).map {
            UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
          }, as: UTF16.self))
    case 0x8:
      guard let uid = Self.number(bytes, offset + 1, low + 1) else { break }
      return .uid(uid)
    case 0xA, 0xC:
      let (length, start) = try length(low, offset)
      return .array(try references(start, length))
    case 0xD:
      let (length, start) = try length(low, offset)
      let keys = try references(start, length)
      let values = try references(start + length * referenceSize, length)
      return .dictionary(zip(keys, values).map { (key: $0, value: $1) })
    default: break
    }
    throw Fault(reason: "it has an object of an unknown kind")
  }

  /// Reads a string that is a key in many dictionaries; nil if the object is no string. The first
  /// keys are read once.
  func key(_ number: Int) throws -> String? {
    if let key = keys[number] {
      try spend(0)
      return key
    }
    guard case .string(let key) = try object(number) else { return nil }
    if keys.count < Self.mostKeys { keys[number] = key }
    return key
  }

  // MARK: Bytes

  /// Nil if the number is outside the bytes, or larger than `Int`.
  private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
    guard start >= 0, size > 0, start <= bytes.count - size else { return nil }
    var result: UInt64 = 0
    for byte in bytes[start..<start + size] {
      guard result >> 56 == 0 else { return nil }
      result = result << 8 | UInt64(byte)
    }
    return Int(exactly: result)
  }

  private func slice(_ start: Int, _ count: Int, _ width: Int = 1) throws -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= tableOffset, count <= (tableOffset - start) / width
    else { throw Fault(reason: "an object is longer than the property list") }
    try spend(count)
    return bytes[start..<start + count * width]
  }

  private func spend(_ elements: Int) throws {
    budget -= elements + 1
    guard budget > 0 else { throw Fault(reason: "it has too many elements") }
  }

  private func integer(_ start: Int, _ size: Int) throws -> Int64 {
    let bytes = try slice(start, size)
    // Integers of one to four bytes have no sign. Those of sixteen bytes are unsigned integers of
    // eight bytes.
    return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func real(_ start: Int, _ size: Int) throws -> Double? {
    let bits = UInt64(bitPattern: try integer(start, size))
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: return nil
    }
  }

  private func length(_ low: Int, _ offset: Int) throws -> (length: Int, start: Int) {
    guard low == 0xF else { return (low, offset + 1) }
    guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 1 else {
      throw Fault(reason: "the length of an object is damaged")
    }
    let size = 1 << min(Int(bytes[offset + 1] & 0xF), 4)
    guard let length = Self.number(bytes, offset + 2, size) else {
      throw Fault(reason: "the length of an object is damaged")
    }
    return (length, offset + 2 + size)
  }

  private func references(_ start: Int, _ count: Int) throws -> [Int] {
    let bytes = try slice(start, count, referenceSize)
    return try (0..<count).map { index in
      let place = bytes.startIndex + index * referenceSize
      guard let number = Self.number(self.bytes, place, referenceSize) else {
        throw Fault(reason: "it refers to an object that does not exist")
      }
      return number
    }
  }
}
