/// Reads an input from start to end. After the end all bytes are 0.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = ArraySlice(bytes)
    position = self.bytes.startIndex
  }

  /// The number of all bytes.
  var count: Int { bytes.count }

  var isAtEnd: Bool { position >= bytes.endIndex }

  mutating func byte() -> UInt8 {
    guard position < bytes.endIndex else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a number below a limit, from as few bytes as possible.
  mutating func number(below limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    var (value, range) = (0, 1)
    while range < limit {
      value = value << 8 | Int(byte())
      range <<= 8
    }
    return value % limit
  }

  mutating func bits() -> UInt64 {
    (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(byte()) }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let end = min(position + count, bytes.endIndex)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  /// Reads as many bytes as the first byte says, or fewer at the end.
  mutating func someBytes() -> [UInt8] { bytes(number(below: 256)) }

  mutating func rest() -> [UInt8] { bytes(bytes.endIndex - position) }
}
