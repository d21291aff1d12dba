import MagicEngine
import MagicRuntime

/// A record of an imported file.
enum ImportedRecord {
  /// The fields of CSV.
  case fields(CSVRecord)
  /// An object of JSON.
  case json([UInt8])
}

/// Why a record cannot be read. The rest of the file cannot be read either.
struct RecordFault: Error {
  let line: Int
  let reason: String
}

/// Reads the records of a file.
struct RecordReader {
  private var text: TextSource
  private let format: MagicImportFormat
  private let delimiter: UInt8?
  private let limit: Int
  private var parser: CSVParser?
  private let typeName: String
  private let firstRecord: Int
  private let columnForm: (String) -> FlattedForm
  private var flatted: FlattedDocument?
  private var hasBegun = false
  private var hasEnded = false

  /// - Parameters:
  ///   - typeName: the name of the type of the records.
  ///   - columnForm: returns the form of a column in a document in the form of flatted.
  init(
    _ text: TextSource, _ file: MagicImportFile, typeName: String,
    columnForm: @escaping (String) -> FlattedForm
  ) {
    (self.text, format, self.typeName) = (text, file.format, typeName)
    self.columnForm = columnForm
    (delimiter, limit) = (file.delimiter?.asciiValue, max(1, file.largestRecord))
    firstRecord = max(1, file.firstRecord)
  }

  /// Whether records can refer to each other, so that they are saved together.
  var areRelated: Bool { flatted != nil }

  /// The part of the file that was read; of a document in the form of flatted, which is read as a whole, the
  /// part of its records.
  var progress: Double { flatted?.progress ?? text.progress }

  func close() { text.close() }

  /// Reads the next record.
  ///
  /// - Returns: the record, and the line on which it begins; nil at the end of the file.
  /// - Throws: `RecordFault`, and `MagicError` with `.inputOutput`; `CancellationError` in a cancelled task while
  ///   a document in the form of flatted is read.
  mutating func next() throws -> (line: Int, record: ImportedRecord)? {
    switch format {
    case .csv:
      if parser == nil { parser = CSVParser(delimiter: delimiter, largestRecord: limit) }
      return try parser?.next(&text).map { ($0.line, .fields($0)) }
    case .jsonLines: return try nextLine().map { ($0.line, .json($0.json)) }
    case .json: return try nextElement().map { ($0.line, .json($0.json)) }
    }
  }

  private mutating func skipSpace() throws {
    while let byte = try text.peek(), JSONScanner.isSpace(byte) { _ = try text.next() }
  }

  private func check(_ count: Int, _ line: Int) throws {
    guard count <= limit else {
      throw RecordFault(line: line, reason: "the record is larger than \(limit) bytes")
    }
  }

  private mutating func nextLine() throws -> (line: Int, json: [UInt8])? {
    try skipSpace()
    guard try text.peek() != nil else { return nil }
    let line = text.line
    var json: [UInt8] = []
    try text.append(to: &json, limit: limit) { $0 == 0x0A }
    try check(json.count, line)
    _ = try text.next()
    while let last = json.last, JSONScanner.isSpace(last) { json.removeLast() }
    return (line, json)
  }

  /// Reads the next record of an array.
  private mutating func nextElement() throws -> (line: Int, json: [UInt8])? {
    if flatted != nil { return try flatted?.next() }
    let isFirst = !hasBegun
    guard let element = try nextPlainElement() else { return nil }
    if isFirst {
      let second = hasEnded ? nil : try text.peek()
      if FlattedDocument.isFlatted(first: element.json.first, second: second) {
        var elements = [element]
        var cancellation = CancellationCheck()
        while let next = try nextPlainElement() {
          try cancellation.count()
          elements.append(next)
        }
        flatted = try FlattedDocument(
          elements, typeName: typeName, firstRecord: firstRecord, limit: limit, form: columnForm)
        return try flatted?.next()
      }
    }
    return element
  }

  /// Reads the next element of an array as it is.
  private mutating func nextPlainElement() throws -> (line: Int, json: [UInt8])? {
    guard !hasEnded else { return nil }
    try skipSpace()
    if !hasBegun {
      guard try text.next() == UInt8(ascii: "[") else {
        throw RecordFault(line: text.line, reason: "the file is not an array of JSON")
      }
      hasBegun = true
      try skipSpace()
      if try text.peek() == UInt8(ascii: "]") {
        _ = try text.next()
        return try end()
      }
    }
    let line = text.line
    let json = try element(line)
    try skipSpace()
    switch try text.next() {
    case UInt8(ascii: ","): try skipSpace()
    case UInt8(ascii: "]"): _ = try end()
    default:
      throw RecordFault(line: line, reason: "the array ends inside of a record, or after it")
    }
    return (line, json)
  }

  private mutating func end() throws -> (line: Int, json: [UInt8])? {
    hasEnded = true
    try skipSpace()
    guard try text.peek() == nil else {
      throw RecordFault(line: text.line, reason: "something follows the array of JSON")
    }
    return nil
  }

  /// Reads an element up to the comma or bracket after it.
  private mutating func element(_ line: Int) throws -> [UInt8] {
    var json: [UInt8] = []
    var (depth, isText) = (0, false)
    while let byte = try text.peek() {
      if isText {
        if byte == UInt8(ascii: "\\") {
          json.append(byte)
          _ = try text.next()
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ",") where depth == 0: return json
        case UInt8(ascii: "]") where depth == 0: return json
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      guard let taken = try text.next() else { break }
      json.append(taken)
      try check(json.count, line)
    }
    return json
  }
}
