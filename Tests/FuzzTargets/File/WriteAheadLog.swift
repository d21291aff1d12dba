/// The checksums of a write-ahead log. SQLite ignores frames with a wrong checksum.
///
/// See https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
enum WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Returns a log with valid checksums, and with constant salts.
  static func sealed(_ log: [UInt8]) -> [UInt8] {
    guard log.count >= headerSize else { return log }
    var log = log
    let isBigEndian = log[3] & 1 == 1
    log.replaceSubrange(16..<24, with: [1, 2, 3, 4, 5, 6, 7, 8])
    var sum = checksum(log[0..<24], (0, 0), isBigEndian)
    store(sum, in: &log, at: 24)
    let pageSize = Int(integer(log[8..<12], true))
    guard (Template.pageSize...65_536).contains(pageSize) else { return log }
    var frame = headerSize
    while frame + frameHeaderSize + pageSize <= log.count {
      log.replaceSubrange((frame + 8)..<(frame + 16), with: log[16..<24])
      sum = checksum(log[frame..<(frame + 8)], sum, isBigEndian)
      let page = frame + frameHeaderSize
      sum = checksum(log[page..<(page + pageSize)], sum, isBigEndian)
      store(sum, in: &log, at: frame + 16)
      frame = page + pageSize
    }
    return log
  }

  private static func integer(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt32 {
    let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func checksum(
    _ bytes: ArraySlice<UInt8>, _ start: (UInt32, UInt32), _ isBigEndian: Bool
  ) -> (UInt32, UInt32) {
    var (first, second) = start
    for place in stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8) {
      first &+= integer(bytes[place..<(place + 4)], isBigEndian) &+ second
      second &+= integer(bytes[(place + 4)..<(place + 8)], isBigEndian) &+ first
    }
    return (first, second)
  }

  private static func store(_ sum: (UInt32, UInt32), in log: inout [UInt8], at place: Int) {
    for (index, value) in [sum.0, sum.1].enumerated() {
      for byte in 0..<4 {
        log[place + index * 4 + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - byte * 8))
      }
    }
  }
}
