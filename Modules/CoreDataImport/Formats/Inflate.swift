/// Decompresses data in the format DEFLATE, as RFC 1951 defines it, without the header of zlib or
/// gzip. The size of the result is limited, so that a small input cannot use all memory.
///
/// The system's zlib is not used: every program with the library links this module, and would need one
/// more system package to build on Linux. Compressed are only the models of stores, once for each import,
/// so that speed does not matter.
struct Inflate {
  enum Fault: Error, Equatable {
    case truncated, invalid
    /// The result is larger than the limit.
    case tooLarge
  }

  private let input: [UInt8]
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  /// Returns the decompressed bytes. Bytes after the end of the data are ignored.
  static func decompressed(_ input: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var inflate = Inflate(input: input, limit: limit)
    try inflate.run()
    return inflate.output
  }

  private init(input: [UInt8], limit: Int) { (self.input, self.limit) = (input, limit) }

  private mutating func run() throws(Fault) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStored()
      case 1:
        guard let literals = Self.fixedLiterals, let distances = Self.fixedDistances
        else { throw .invalid }
        try decode(literals, distances)
      case 2:
        let (literals, distances) = try dynamicCodes()
        try decode(literals, distances)
      default: throw .invalid
      }
    }
  }

  // MARK: Bits

  private mutating func take(_ count: Int) throws(Fault) -> Int {
    while bitCount < count {
      guard position < input.count else { throw .truncated }
      bits |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let result = bits & (1 << UInt32(count) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(result)
  }

  private mutating func append(_ byte: UInt8) throws(Fault) {
    guard output.count < limit else { throw .tooLarge }
    output.append(byte)
  }

  private mutating func copyStored() throws(Fault) {
    (bits, bitCount) = (0, 0)
    let length = try take(16)
    guard try take(16) == ~length & 0xFFFF else { throw .invalid }
    guard position + length <= input.count else { throw .truncated }
    guard output.count + length <= limit else { throw .tooLarge }
    output += input[position..<position + length]
    position += length
  }

  // MARK: Codes

  /// A canonical Huffman code.
  private struct Code {
    private static let longest = 15
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: longest + 1)
    /// The symbols in the order of their codes.
    private var symbols: [Int] = []

    /// Nil if more codes have a length than exist.
    init?(_ lengths: [Int]) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      var left = 1
      for length in 1...Self.longest {
        left = left << 1 - counts[length]
        guard left >= 0 else { return nil }
      }
      symbols = lengths.enumerated().filter { $0.element > 0 }
        .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    }

    func decode(_ nextBit: () throws(Fault) -> Int) throws(Fault) -> Int {
      var (code, first, index) = (0, 0, 0)
      for length in 1...Self.longest {
        code |= try nextBit()
        let count = counts[length]
        if code - first < count { return symbols[index + code - first] }
        index += count
        first = (first + count) << 1
        code <<= 1
      }
      throw .invalid
    }
  }

  private mutating func symbol(_ code: Code) throws(Fault) -> Int {
    try code.decode { () throws(Fault) in try take(1) }
  }

  private mutating func decode(_ literals: Code, _ distances: Code) throws(Fault) {
    while true {
      let symbol = try symbol(literals)
      switch symbol {
      case ..<256: try append(UInt8(symbol))
      case 256: return
      case ..<286:
        let length = Self.lengthBase[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
        let distanceSymbol = try self.symbol(distances)
        guard distanceSymbol < 30 else { throw .invalid }
        let distance =
          Self.distanceBase[distanceSymbol] + (try take(Self.distanceBits[distanceSymbol]))
        guard distance <= output.count else { throw .invalid }
        for _ in 0..<length { try append(output[output.count - distance]) }
      default: throw .invalid
      }
    }
  }

  private mutating func dynamicCodes() throws(Fault) -> (literals: Code, distances: Code) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .invalid }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<lengthCount { lengths[Self.lengthOrder[index]] = try take(3) }
    guard let code = Code(lengths) else { throw .invalid }
    lengths = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try symbol(code)
      switch symbol {
      case ..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw .invalid }
        lengths += [Int](repeating: last, count: 3 + (try take(2)))
      case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
      default: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
      }
    }
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0,
      let literals = Code(Array(lengths[..<literalCount])),
      let distances = Code(Array(lengths[literalCount...]))
    else { throw .invalid }
    return (literals, distances)
  }

  // MARK: Tables

  private static let fixedLiterals = Code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537,
    2_049, 3_073, 4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}
