/// The fields of a record of CSV.
struct CSVRecord {
  /// The number of the line on which the record begins.
  let line: Int
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var quoted: [Bool] = []

  fileprivate init(line: Int) { self.line = line }

  var count: Int { ends.count }

  /// The number of bytes of the fields and of the delimiters between them, which limits the memory of
  /// empty fields too.
  fileprivate var size: Int { bytes.count + ends.count }

  /// The content of a field, without its quotes.
  subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Whether a field is in quotes, so that it is a text even if it is empty.
  func isQuoted(_ index: Int) -> Bool { quoted[index] }

  fileprivate mutating func endField(isQuoted: Bool) {
    ends.append(bytes.count)
    quoted.append(isQuoted)
  }

  fileprivate mutating func append(_ byte: UInt8) { bytes.append(byte) }

  fileprivate mutating func append(
    from text: inout TextSource, limit: Int, until isEnd: (UInt8) -> Bool
  ) throws { try text.append(to: &bytes, limit: limit, until: isEnd) }
}

/// Divides text into records of fields, as RFC 4180 defines them. A line ends with a line feed, with or
/// without a carriage return before it, or with a carriage return. Empty lines are left out.
struct CSVParser {
  private var delimiter: UInt8
  private var isDetected: Bool
  private let limit: Int

  private static let candidates = Array(",;\t|".utf8)
  private static let quote = UInt8(ascii: "\"")

  /// - Parameter delimiter: the byte between fields; nil if the first record determines it.
  init(delimiter: UInt8?, largestRecord limit: Int) {
    self.delimiter = delimiter ?? UInt8(ascii: ",")
    isDetected = delimiter != nil
    self.limit = limit
  }

  /// Reads the next record; nil at the end of the file.
  mutating func next(_ text: inout TextSource) throws -> CSVRecord? {
    while let byte = try text.peek(), byte == 0x0A || byte == 0x0D { _ = try text.next() }
    guard try text.peek() != nil else { return nil }
    guard isDetected else { return try first(&text) }
    return try record(&text)
  }

  /// Reads the first record with each delimiter, and returns the one with the most fields.
  private mutating func first(_ text: inout TextSource) throws -> CSVRecord? {
    isDetected = true
    // The text is a value, so that it can be read again.
    let start = text
    var best: (record: CSVRecord, rest: TextSource, delimiter: UInt8)?
    var fault: (any Error)?
    for candidate in Self.candidates {
      (delimiter, text) = (candidate, start)
      do {
        let record = try record(&text)
        if record.count > best?.record.count ?? 0 { best = (record, text, candidate) }
      } catch let error as RecordFault {
        fault = fault ?? error
      }
    }
    guard let best else {
      if let fault { throw fault }
      return nil
    }
    (delimiter, text) = (best.delimiter, best.rest)
    return best.record
  }

  private func record(_ text: inout TextSource) throws -> CSVRecord {
    var record = CSVRecord(line: text.line)
    while true {
      let isQuoted = try text.peek() == Self.quote
      if isQuoted {
        _ = try text.next()
        try quotedField(&text, &record)
      } else {
        let delimiter = delimiter
        try record.append(from: &text, limit: limit) { $0 == delimiter || $0 == 0x0A || $0 == 0x0D }
      }
      record.endField(isQuoted: isQuoted)
      guard record.size <= limit else {
        throw RecordFault(line: record.line, reason: "the record is larger than \(limit) bytes")
      }
      switch try text.next() {
      case delimiter: continue
      case nil, 0x0A: return record
      case 0x0D:
        if try text.peek() == 0x0A { _ = try text.next() }
        return record
      default:
        throw RecordFault(line: record.line, reason: "a character follows the quote of a field")
      }
    }
  }

  private func quotedField(_ text: inout TextSource, _ record: inout CSVRecord) throws {
    while true {
      try record.append(from: &text, limit: limit) { $0 == Self.quote }
      guard record.bytes.count <= limit else {
        throw RecordFault(line: record.line, reason: "the record is larger than \(limit) bytes")
      }
      guard try text.next() != nil else {
        throw RecordFault(line: record.line, reason: "the quote of a field is not closed")
      }
      guard try text.peek() == Self.quote else { return }
      _ = try text.next()
      record.append(Self.quote)
    }
  }
}
