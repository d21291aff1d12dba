import Foundation
import MagicFiles
import MagicSchema
import Magical

/// The bytes of a text file in UTF-8, which are read in pieces.
struct TextSource {
  private let file: any ReadableFile
  private let encoding: MagicImportEncoding
  private var offset: Int
  /// The last bytes of a piece, which are an incomplete character in UTF-16.
  private var rest: [UInt8] = []
  private var buffer: [UInt8] = []
  private var place = 0
  /// Whether the byte before the buffer is a carriage return.
  private var followsReturn = false
  /// The number of the current line. A line ends with a line feed, a carriage return, or both.
  private(set) var line = 1

  private static let pieceSize = 1 << 18

  /// Opens a file.
  ///
  /// - Throws: `MagicError` with `.cannotOpen` or `.inputOutput`.
  init(path: String, _ encoding: MagicImportEncoding?) throws {
    do {
      file = try DiskFileSystem.open(anywhere: path)
      let start = try Self.read(file, from: 0, count: Self.pieceSize)
      let (detected, mark) = Self.detect(start)
      self.encoding = encoding ?? detected
      offset = encoding == nil || encoding == detected ? mark : 0
    } catch let error as FileError {
      throw MagicError(
        .cannotOpen, "The file to import cannot be opened: \(error)", cause: error)
    }
  }

  func close() { file.close() }

  /// The part of the file that was read, from 0 to 1.
  var progress: Double {
    file.size == 0 ? 1 : min(1, Double(offset - buffer.count + place) / Double(file.size))
  }

  /// Returns the next byte without taking it; nil at the end of the file.
  mutating func peek() throws -> UInt8? {
    if place >= buffer.count { try fill() }
    return place < buffer.count ? buffer[place] : nil
  }

  /// Takes the next byte.
  mutating func next() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    if byte <= 0x0D { countLine(byte) }
    place += 1
    return byte
  }

  /// Appends bytes to an array until one matches, which is not taken, or until the array is larger than
  /// a limit by a piece of the file.
  @inline(__always)
  mutating func append(
    to bytes: inout [UInt8], limit: Int, until isEnd: (UInt8) -> Bool
  ) throws {
    while bytes.count <= limit, try peek() != nil {
      let start = place
      while place < buffer.count, !isEnd(buffer[place]) {
        if buffer[place] <= 0x0D { countLine(buffer[place]) }
        place += 1
      }
      bytes += buffer[start..<place]
      if place < buffer.count { return }
    }
  }

  /// Counts a line if the current byte ends one.
  private mutating func countLine(_ byte: UInt8) {
    switch byte {
    case 0x0D: line += 1
    case 0x0A:
      // The carriage return before it has ended the line.
      let isSecond = place > 0 ? buffer[place - 1] == 0x0D : followsReturn
      if !isSecond { line += 1 }
    default: break
    }
  }

  private mutating func fill() throws {
    do {
      followsReturn = buffer.last == 0x0D
      buffer.removeAll(keepingCapacity: true)
      place = 0
      while buffer.isEmpty {
        let piece = try Self.read(file, from: offset, count: Self.pieceSize)
        guard !piece.isEmpty else {
          // Half a character at the end of the file.
          if !rest.isEmpty { buffer.append(Self.invalidByte) }
          rest = []
          return
        }
        offset += piece.count
        decode(piece)
      }
    } catch let error as FileError {
      throw MagicError(.inputOutput, "The file to import cannot be read: \(error)", cause: error)
    }
  }

  private static func read(
    _ file: any ReadableFile, from offset: Int, count: Int
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { bytes, count in
      count = try file.read(at: offset, into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  // MARK: Encodings

  /// Returns the encoding of a text, and the length of its byte order mark.
  private static func detect(_ start: [UInt8]) -> (MagicImportEncoding, mark: Int) {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    // The last character of the piece may be incomplete.
    let isUTF8 = (0...min(3, start.count)).contains { dropped in
      start.dropLast(dropped).withUnsafeBytes { UTF8Validation.isValid($0) }
    }
    return (isUTF8 ? .utf8 : .windows1252, 0)
  }

  private mutating func decode(_ piece: [UInt8]) {
    switch encoding {
    case .utf8: buffer += piece
    case .windows1252:
      for byte in piece {
        buffer += UTF8.encode(Self.windows1252(byte)) ?? UTF8.encodedReplacementCharacter
      }
    case .utf16LittleEndian, .utf16BigEndian:
      let bytes = rest + piece
      var units: [UInt16] = []
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second)
      }
      var used = units.count * 2
      // The second half of a pair is in the next piece.
      if let last = units.last, UTF16.isLeadSurrogate(last) {
        units.removeLast()
        used -= 2
      }
      rest = Array(bytes[used...])
      append(units)
    }
  }

  /// A byte that no text in UTF-8 contains, so that the value with it is refused.
  private static let invalidByte: UInt8 = 0xFF

  /// Appends text in UTF-16, with an invalid byte for each half of a pair without the other one.
  private mutating func append(_ units: [UInt16]) {
    var start = 0
    for index in units.indices where units[index] & 0xF800 == 0xD800 {
      let isPaired =
        UTF16.isLeadSurrogate(units[index])
        ? index + 1 < units.count && UTF16.isTrailSurrogate(units[index + 1])
        : index > 0 && UTF16.isLeadSurrogate(units[index - 1])
      guard !isPaired else { continue }
      buffer += String(decoding: units[start..<index], as: UTF16.self).utf8
      buffer.append(Self.invalidByte)
      start = index + 1
    }
    buffer += String(decoding: units[start...], as: UTF16.self).utf8
  }

  /// The characters from 0x80 to 0x9F; those without a character are controls, as in ISO 8859-1.
  private static let windowsCharacters: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(windowsCharacters[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }
}
