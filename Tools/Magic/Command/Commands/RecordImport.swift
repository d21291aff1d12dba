import ArgumentParser
import Foundation
@_spi(Tools) import MagicData
import MagicDescribedTypes
import MagicInspection

/// The options of an import of CSV or JSON into a type that a database file describes.
struct RecordImport: ParsableArguments {
  @Option(help: "The type of the objects. Default: the one with the name of the imported file.")
  var type: String?
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The property of a column or key: Name=name. Without a property the values are left out: Note=.",
      valueName: "column=property"))
  var mappings: [String] = []
  @Option(
    help: ArgumentHelp(
      "The form of dates: a pattern such as dd/MM/yyyy, or seconds-since-1970, "
        + "milliseconds-since-1970, seconds-since-2001. Default: detected.", valueName: "form"))
  var dates: String?
  @Option(
    help: ArgumentHelp(
      "The character between the fields of CSV, or tab. Default: detected.",
      valueName: "character"))
  var delimiter: String?
  @Option(
    help: ArgumentHelp(
      "The encoding of the text: utf-8, utf-16le, utf-16be, windows-1252. Default: detected.",
      valueName: "name"))
  var encoding: String?
  @Flag(
    help:
      "The first record of CSV has values. The names of the columns are 1, 2 and so on, for --map.")
  var noHeader = false
  @Flag(help: "Commit every 1,000 records, instead of all together.") var batches = false
  @Option(
    help: ArgumentHelp(
      "Continue at a record, which the error of an import with --batches names.",
      valueName: "record"))
  var resume: Int?

  var isUsed: Bool {
    type != nil || !mappings.isEmpty || dates != nil || batches || resume != nil || isOfCSV
      || encoding != nil
  }

  /// Whether an option is used that only CSV has.
  var isOfCSV: Bool { delimiter != nil || noHeader }

  func validate() throws {
    guard mappings.allSatisfy({ ($0.firstIndex(of: "=") ?? $0.startIndex) != $0.startIndex }) else {
      throw ValidationError("--map has the form column=property.")
    }
    guard (resume ?? 1) > 0 else { throw ValidationError("--resume is the number of a record.") }
    if let delimiter, Self.delimiter(delimiter) == nil {
      throw ValidationError(
        "--delimiter is one character of ASCII other than a quote and a line end, or tab.")
    }
    if let encoding, Self.encodings[encoding] == nil {
      throw ValidationError(
        "--encoding is one of \(Self.encodings.keys.sorted().joined(separator: ", ")).")
    }
    guard let dates, Self.numbers[dates] == nil, !Self.isPattern(dates) else { return }
    throw ValidationError(
      "--dates is a pattern of yyyy, yy, MM, dd, HH, mm, ss and SSS with a year, or one of "
        + "\(Self.numbers.keys.sorted().joined(separator: ", ")).")
  }

  /// The forms of dates that are numbers.
  private static let numbers: [String: MagicImportDates] = [
    "seconds-since-1970": .secondsSince1970, "milliseconds-since-1970": .millisecondsSince1970,
    "seconds-since-2001": .secondsSince2001,
  ]

  private static let encodings: [String: MagicImportEncoding] = [
    "utf-8": .utf8, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    "windows-1252": .windows1252,
  ]

  /// Returns the delimiter that an option names; nil if there is no such one.
  private static func delimiter(_ text: String) -> Character? {
    if text == "tab" { return "\t" }
    guard text.count == 1, let character = text.first, character.isASCII, character != "\"",
      !character.isNewline
    else { return nil }
    return character
  }

  /// Whether a text is a pattern of dates. A day without a month, and minutes without hours, are probably
  /// letters in the wrong case.
  private static func isPattern(_ text: String) -> Bool {
    let letters = Set(text.filter { $0.isASCII && $0.isLetter })
    return letters.contains("y") && letters.isSubset(of: "yMdHmsSTZ")
      && (letters.contains("M") || !letters.contains("d"))
      && (letters.contains("H") || !letters.contains("m"))
  }

  /// Whether a file contains records, by its name.
  static func isRecordFile(_ path: String) -> Bool {
    ["csv", "tsv", "json", "jsonl", "ndjson"].contains(
      URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  /// Whether a file with records is one of CSV.
  static func isCSV(_ path: String) -> Bool { MagicImportFile(path: path).format == .csv }

  // MARK: Running

  func run(_ path: String, _ file: FileArgument, isPlan: Bool, _ format: JSONOption) async throws {
    let (database, type) = try file.inspecting { _, database in
      (database, try database.type(named: name(for: path)))
    }
    guard type.isDescribed else {
      throw CommandError(
        ExitStatus.failure,
        "The file does not describe the properties of the type: an older version has written it. The "
          + "first program that opens the database with the type describes them.")
    }
    let records = importFile(path)
    try await file.opening(readOnly: false) { magic in
      if isPlan {
        try await plan(records, type, database, magic, format)
      } else {
        try await save(records, type, database, magic, format)
      }
    }
  }

  private func name(for path: String) -> String {
    type ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  private func importFile(_ path: String) -> MagicImportFile {
    var file = MagicImportFile(path: path)
    let properties = mappedColumns
    file.property = { column in
      let property = properties[column] ?? column
      return property.isEmpty ? nil : property
    }
    if let dates { file.dates = Self.numbers[dates] ?? .format(dates) }
    file.delimiter = delimiter.flatMap(Self.delimiter)
    file.encoding = encoding.flatMap { Self.encodings[$0] }
    file.hasHeader = !noHeader
    if let resume { file.firstRecord = resume }
    return file
  }

  /// The properties of columns, by the names of the columns.
  private var mappedColumns: [String: String] {
    Dictionary(
      mappings.map { mapping in
        let end = mapping.firstIndex(of: "=") ?? mapping.endIndex
        return (String(mapping[..<end]), String(mapping[mapping.index(after: end)...]))
      }, uniquingKeysWith: { $1 })
  }

  /// Checks that the file has the columns of the mappings, for a transaction that is not committed yet.
  ///
  /// - Parameter isComplete: whether all records were read. Until then, later records of JSON can have
  ///   other keys.
  private func checkMappings(
    _ file: MagicImportFile, _ records: DescribedImport, isComplete: Bool
  ) throws {
    // The keys of records before the first one are not known.
    guard file.format == .csv || isComplete && file.firstRecord == 1 else { return }
    guard let columns = records.columns else { return }
    let unknown = Set(mappedColumns.keys).subtracting(columns).sorted()
    guard !unknown.isEmpty else { return }
    throw CommandError(
      ExitStatus.usage,
      "The file has no column or key for --map: "
        + "\(unknown.map { InspectedText.line($0) }.joined(separator: ", ")).")
  }

  /// The plan, as the error that rolls its transaction back.
  private struct PlannedImport: Error {
    let plan: MagicImportPlan
  }

  private func plan(
    _ file: MagicImportFile, _ type: InspectedType, _ database: InspectedDatabase,
    _ magic: MagicData, _ format: JSONOption
  ) async throws {
    let plan: MagicImportPlan
    do {
      try await magic.transaction { transaction in
        let records = try DescribedImport(file, into: type, of: database)
        defer { records.close() }
        let plan = try records.plan(in: transaction)
        try checkMappings(file, records, isComplete: true)
        throw PlannedImport(plan: plan)
      }
      return
    } catch let planned as PlannedImport {
      plan = planned.plan
    }
    if format.json {
      format.write(plan.json)
    } else {
      Output.current.writeDocument(
        "\(InspectedText.line(type.name)): " + InspectedText.lines(plan.description) + "\n")
    }
    guard plan.isPossible else {
      throw CommandError(ExitStatus.findings, "The file cannot be imported without changes.")
    }
  }

  private func save(
    _ file: MagicImportFile, _ type: InspectedType, _ database: InspectedDatabase,
    _ magic: MagicData, _ format: JSONOption
  ) async throws {
    let progress = Progress("Importing")
    defer { progress.finish() }
    let summary =
      batches
      ? try await saveBatches(file, type, database, magic, progress)
      : try await magic.transaction { transaction in
        let records = try DescribedImport(file, into: type, of: database)
        defer { records.close() }
        while try records.save(atMost: 1_000, isCommitted: false, in: transaction) {
          progress.show(records.progress.fraction)
        }
        try checkMappings(file, records, isComplete: true)
        return records.summary
      }
    progress.finish()
    if format.json {
      format.write(
        .members([
          "type": .string(type.name), "records": .integer(Int64(summary.records)),
        ]))
    } else {
      Output.current.line(
        "Imported \(summary.records.counted("record")) into \(InspectedText.line(type.name)).")
    }
  }

  private func saveBatches(
    _ file: MagicImportFile, _ type: InspectedType, _ database: InspectedDatabase,
    _ magic: MagicData, _ progress: Progress
  ) async throws -> MagicImportSummary {
    let records = try DescribedImport(file, into: type, of: database)
    defer { records.close() }
    // The import counts the records of a transaction before its commit, which can fail.
    var next = records.progress.nextRecord
    do {
      while try await magic.transaction({
        let isIncomplete = try records.save(atMost: 1_000, isCommitted: true, in: $0)
        try checkMappings(file, records, isComplete: !isIncomplete)
        return isIncomplete
      }) {
        next = records.progress.nextRecord
        progress.show(records.progress.fraction)
      }
    } catch {
      guard let failure = CommandError(error) else { throw error }
      guard next > 1 else { throw failure }
      throw CommandError(
        failure.status,
        "\(failure.description) The records up to record \(next - 1) are committed; continue with "
          + "--resume \(next).")
    }
    return records.summary
  }
}

extension MagicImportPlan {
  fileprivate var json: JSONNode {
    .members([
      "isPossible": .bool(isPossible), "records": .integer(Int64(records)),
      "errorCount": .integer(Int64(errorCount)),
      "columns": .array(
        columns.map {
          .members([
            "name": .string($0.name), "property": .string(orNull: $0.property),
            "type": .string(orNull: $0.type), "values": .integer(Int64($0.values)),
            "lostValues": .integer(Int64($0.lostValues)), "isUnknown": .bool($0.isUnknown),
          ])
        }),
      "properties": .array(properties.map(JSONNode.string)),
      "unlistedValues": .integer(Int64(unlistedValues)),
      "errors": .array(errors.map { .string($0.description) }),
    ])
  }
}
