import MagicFiles

/// The lines of a file, which is read in pieces.
struct LineFile {
  private let file: any ReadableFile
  private let limit: Int

  /// The size of the largest line that need not be described, in bytes.
  private static let largestLine = 64 << 20
  /// The size of the largest line that can be described, in bytes.
  static let largestDescribedLine = Int(clamping: Int64(3) << 30)

  /// Returns the size of the largest line of a file. A file that was damaged, or that another program has
  /// written, must not need any amount of memory.
  ///
  /// - Parameter described: the size of the longest line in the description of the file.
  static func limit(described: Int?) -> Int {
    max(largestLine, min(described ?? 0, largestDescribedLine))
  }

  /// - Parameter limit: the size of the largest line, in bytes.
  init(_ file: any ReadableFile, limit: Int) { (self.file, self.limit) = (file, limit) }

  enum Fault: Error {
    case lineTooLong(number: Int)
  }

  /// Calls a closure with the number of each line, from 1, and its bytes without the end of the line.
  /// Empty lines are left out, and so is the byte order mark that some programs write first. Throws when
  /// the task is cancelled.
  func forEach(_ body: (Int, UnsafeRawBufferPointer) throws -> Void) throws {
    /// The beginning of a line whose end is in a later piece.
    var start: [UInt8] = []
    var number = 0
    func line(_ bytes: UnsafeRawBufferPointer) throws {
      number += 1
      var content = bytes[...]
      if number == 1, content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
      if content.last == 0x0D { content = content.dropLast() }
      if !content.isEmpty { try body(number, UnsafeRawBufferPointer(rebasing: content)) }
    }
    try file.forEachPiece { piece in
      var rest = piece[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let part = UnsafeRawBufferPointer(rebasing: rest[..<end])
        guard start.count + part.count <= limit else {
          throw Fault.lineTooLong(number: number + 1)
        }
        if start.isEmpty {
          try line(part)
        } else {
          start += part
          try start.withUnsafeBytes(line)
          start.removeAll(keepingCapacity: true)
        }
        rest = rest[(end + 1)...]
      }
      guard start.count + rest.count <= limit else {
        throw Fault.lineTooLong(number: number + 1)
      }
      start += rest
    }
    if !start.isEmpty { try start.withUnsafeBytes(line) }
  }
}
