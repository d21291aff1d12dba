import MagicFiles

/// Reads the part of a write-ahead log after the first invalid frame, where the log ends for
/// SQLite.
///
/// See https://sqlite.org/fileformat2.html#the_write_ahead_log
package struct WALScanner {
  private let file: any ReadableFile
  private var buffer: [UInt8]
  private let isBigEndian: Bool
  private var sums: (UInt32, UInt32) = (0, 0)

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Whether committed transactions cannot be read, for example because the log is damaged.
  ///
  /// A power failure leaves at most one commit frame after the first invalid frame: that of the
  /// transaction being written. Two commit frames prove that more was written there.
  static func hasCommits(inLogAt path: String) -> Bool {
    guard let file = try? DiskFileSystem.open(anywhere: path) else { return false }
    defer { file.close() }
    guard file.size > headerSize + frameHeaderSize else { return false }
    // A log with an invalid header has lost all of its commits, unless nothing was ever written to
    // disk.
    guard var scanner = WALScanner(file) else { return !isBlank(file) }
    return scanner.countCommits(atMost: 2) >= 2
  }

  private init?(_ file: any ReadableFile) {
    self.file = file
    buffer = [UInt8](repeating: 0, count: Self.headerSize)
    isBigEndian = Self.read(file, at: 0, into: &buffer) && buffer[3] & 1 != 0
    guard number(at: 0) & ~1 == 0x377F_0682 else { return nil }
    let pageSize = number(at: 8)
    guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else { return nil }
    sum(0..<24)
    guard sums == (number(at: 24), number(at: 28)) else { return nil }
    buffer += [UInt8](repeating: 0, count: Self.frameHeaderSize + Int(pageSize))
  }

  /// Counts the commit frames after the first invalid frame.
  private mutating func countCommits(atMost limit: Int) -> Int {
    let salts = (number(at: 16), number(at: 20))
    let header = Self.headerSize
    var frame = [UInt8](buffer[header...])
    var offset = header
    var isValid = true
    var count = 0
    while count < limit, Self.read(file, at: offset, into: &frame) {
      offset += frame.count
      buffer.replaceSubrange(header..., with: frame)
      // Frames with other salts belong to an earlier log in the same file.
      let isOfLog = salts == (number(at: header + 8), number(at: header + 12))
      guard isValid else {
        if isOfLog, number(at: header + 4) != 0 { count += 1 }
        continue
      }
      sum(header..<header + 8)
      sum(header + Self.frameHeaderSize..<buffer.count)
      isValid = isOfLog && sums == (number(at: header + 16), number(at: header + 20))
    }
    return count
  }

  private static func isBlank(_ file: any ReadableFile) -> Bool {
    var header = [UInt8](repeating: 0, count: headerSize)
    return read(file, at: 0, into: &header) && header.allSatisfy { $0 == 0 }
  }

  private static func read(
    _ file: any ReadableFile, at offset: Int, into bytes: inout [UInt8]
  ) -> Bool {
    bytes.withUnsafeMutableBytes { bytes in
      (try? file.read(at: offset, into: bytes)) == bytes.count
    }
  }

  private func number(at offset: Int) -> UInt32 {
    buffer.withUnsafeBytes {
      UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// Continues the checksum, over a number of bytes that is a multiple of eight.
  private mutating func sum(_ range: Range<Int>) {
    var (first, second) = sums
    buffer.withUnsafeBytes { bytes in
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let right = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
        second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
      }
    }
    sums = (first, second)
  }
}
