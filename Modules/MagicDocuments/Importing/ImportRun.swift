import MagicRuntime
import MagicSchema

/// One run of an import: the records of the file as objects of JSON, and how many of them are saved.
/// Used by one call at a time.
final class ImportRun: @unchecked Sendable {
  typealias Batch = [(place: RecordPlace, content: Content)]

  /// The JSON of a record.
  enum Content {
    /// Of which the keys are those of documents.
    case document([UInt8])
    /// Of which the keys are columns.
    case columns([UInt8])

    /// The number of bytes.
    var size: Int {
      switch self {
      case .document(let json), .columns(let json): json.count
      }
    }
  }

  private let file: MagicImportFile
  private let typeName: String
  private var records: RecordReader
  var columns: ImportColumns
  private(set) var summary = MagicImportSummary()
  /// The number of the first record that is not saved.
  private(set) var nextRecord: Int
  /// The number of records that were read.
  private var count = 0
  private var hasHeader: Bool
  /// Whether the file contains something that is no record, or columns that cannot be imported.
  var isBroken = false

  /// The number of records that are saved together.
  static var batchSize: Int { 1_000 }

  /// The number of bytes after which no record is added to those that are saved together. These are in memory,
  /// and a record can be as large as the limit of the file.
  static var batchBytes: Int { 16 << 20 }

  /// Whether records can refer to each other, so that they are saved together, and none of them twice.
  var areRelated: Bool { records.areRelated }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - typeName: the name of the type, for errors.
  ///   - targets: the properties of the type.
  /// - Throws: `MagicError`.
  init(_ file: MagicImportFile, typeName: String, targets: [ImportTarget]) throws {
    (self.file, self.typeName) = (file, typeName)
    nextRecord = max(1, file.firstRecord)
    hasHeader = file.format == .csv
    columns = ImportColumns(targets, file.property, file.dates)
    guard file.delimiter.map({ $0.isASCII && $0 != "\"" && !$0.isNewline }) ?? true else {
      throw MagicError(
        .invalidOption, "The delimiter of CSV must be a character of ASCII other than a quote.")
    }
    guard !file.path.isEmpty, !file.path.utf8.contains(0) else {
      throw MagicError(.cannotOpen, "The path of the file is empty, or contains a null character.")
    }
    records = RecordReader(
      try TextSource(path: file.path, file.encoding), file, typeName: typeName
    ) { column in
      file.property(column).flatMap { name in
        targets.first { $0.key == name || $0.property == name }?.flattedForm
      } ?? .none
    }
  }

  func close() { records.close() }

  var progress: MagicImportProgress {
    MagicImportProgress(fraction: records.progress, nextRecord: nextRecord)
  }

  // MARK: Records

  /// Reads records as objects of JSON; nil at the end of the file.
  ///
  /// - Parameter pause: is called after every 1,000 records that do not end the batch.
  func nextBatch(_ pause: () throws -> Void) throws -> Batch? {
    var batch: Batch = []
    var size = 0
    while !isFull(batch.count, size), let (place, record) = try readRecord(isPlan: false) {
      let content: Content =
        switch record {
        case .json(let json): .columns(json)
        case .fields:
          .document(try converting(place) { try columns.object(record, isPlan: false) })
        }
      size += content.size
      batch.append((place, content))
      if areRelated, batch.count % Self.batchSize == 0 { try pause() }
    }
    return batch.isEmpty ? nil : batch
  }

  /// Whether no record may be added to some that are saved together.
  ///
  /// - Parameter size: the number of their bytes.
  func isFull(_ count: Int, _ size: Int) -> Bool {
    !areRelated && (count >= Self.batchSize || size >= Self.batchBytes)
  }

  /// - Parameter isPlan: whether a column of CSV without a property is permitted.
  func readRecord(isPlan: Bool) throws -> (place: RecordPlace, record: ImportedRecord)? {
    while let (line, record) = try reading({ try records.next() }) {
      if hasHeader, case .fields(let fields) = record {
        hasHeader = false
        isBroken = true
        try converting(RecordPlace(record: 0, line: line)) {
          try addColumns(fields)
          if !isPlan { try columns.checkAll() }
        }
        isBroken = false
        if file.hasHeader { continue }
      }
      count += 1
      if count >= file.firstRecord { return (RecordPlace(record: count, line: line), record) }
    }
    return nil
  }

  private func addColumns(_ record: CSVRecord) throws {
    try columns.add(
      header: (0..<record.count).map {
        file.hasHeader ? String(decoding: record[$0], as: UTF8.self) : "\($0 + 1)"
      })
  }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as RecordFault {
      isBroken = true
      let place = RecordPlace(record: hasHeader ? 0 : count + 1, line: fault.line)
      throw error(MagicImportError(at: place, reason: fault.reason))
    }
  }

  func converting<Result>(
    _ place: RecordPlace, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as ImportColumns.Fault {
      throw error(
        MagicImportError(at: place, column: fault.column, reason: fault.reason), fault.code)
    }
  }

  /// Returns the error of the call, with the record at which the import can continue.
  func error(
    _ fault: MagicImportError, _ code: MagicError.Code = .cannotDecode
  ) -> MagicError {
    continuing(fault).error(typeName, code)
  }

  /// Returns an error with the record at which the import can continue.
  func continuing(_ fault: MagicImportError) -> MagicImportError {
    var fault = fault
    fault.nextRecord = nextRecord
    return fault
  }

  /// Counts records that were saved.
  ///
  /// - Parameters:
  ///   - last: the place of the last one.
  ///   - isCommitted: whether a later error does not undo the save.
  func didSave(_ count: Int, last: RecordPlace, isCommitted: Bool) {
    summary.records += count
    summary.lastLine = last.line
    if isCommitted { nextRecord = last.record + 1 }
  }
}

/// How much of a file is imported.
public struct MagicImportProgress: Hashable, Sendable {
  /// The part of the file that was read, from 0 to 1; of a document in the form of flatted, the part of its records.
  public let fraction: Double
  /// The number of the first record that is not committed: ``MagicImport/firstRecord`` of an import that
  /// continues after a cancellation.
  public let nextRecord: Int
}
