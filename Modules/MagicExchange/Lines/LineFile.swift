import MagicFiles

/// The lines of a file, which is read in pieces.
struct LineFile {
  private let file: any ReadableFile

  /// The largest line, in bytes.
  static let largestLine = Int(clamping: Int64(3) << 30)

  init(_ file: any ReadableFile) { self.file = file }

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
        if start.isEmpty {
          try line(part)
        } else {
          start += part
          try start.withUnsafeBytes(line)
          start.removeAll(keepingCapacity: true)
        }
        rest = rest[(end + 1)...]
      }
      start += rest
      guard start.count <= Self.largestLine else { throw Fault.lineTooLong(number: number + 1) }
    }
    if !start.isEmpty { try start.withUnsafeBytes(line) }
  }
}
