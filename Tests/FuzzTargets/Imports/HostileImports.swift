import Foundation
@_spi(Tools) import MagicData
import MagicRuntime

/// Random, composed and changed files and documents that are imported into types of a database with rows.
/// Each is refused with an error of the library, and nothing is changed, or the database is sound
/// afterwards.
///
/// The first byte of an input selects the format, the second one the options, the third one how the rest
/// becomes a text.
public enum HostileImports {
  /// - Throws: `Finding` if a violation was found.
  public static func run(_ bytes: some Sequence<UInt8>) throws {
    var input = ByteReader(bytes)
    let form = Form.allCases[input.number(below: Form.allCases.count)]
    let options = input.byte()
    let text = HostileImportText.text(&input, form)
    let directory = try RunDirectory()
    let file = "data/copy.sqlite3.\(form.pathExtension)"
    try directory.write(text, to: file)
    try blocking { [database = directory.database, path = directory.path + "/" + file] in
      try await use(database, path, text, form, options)
    }
    try directory.checkOutside()
  }

  enum Form: CaseIterable {
    case csv, jsonLines, array, flatted, document, records

    var pathExtension: String {
      switch self {
      case .csv: "csv"
      case .jsonLines, .records: "jsonl"
      case .array, .flatted, .document: "json"
      }
    }
  }

  private static func use(
    _ database: String, _ path: String, _ text: [UInt8], _ form: Form, _ options: UInt8
  ) async throws {
    let magic = try await MagicData(path: database, options: MagicOptions(durability: .normal))
    let outcome: Result<Void, any Error>
    do {
      try await fill(magic)
      try await check(magic, path, text, form, options)
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await magic.close()
    try outcome.get()
  }

  private static func fill(_ magic: MagicData) async throws {
    let (first, second) = (Guest("a"), Guest("b"))
    first.host = second
    second.friends = [first]
    second.rooms = ["x": Room("r")]
    try await magic.update(contentsOf: [first, second])
  }

  private static func check(
    _ magic: MagicData, _ path: String, _ text: [UInt8], _ form: Form, _ options: UInt8
  ) async throws {
    let before = try await contents(magic)
    if form == .records {
      return try readRecords(path, options)
    }
    let isSaved: Bool
    if form == .document {
      isSaved = try await attempt {
        let json = MagicJSON(Data(text))
        if options & 1 == 0 {
          try await magic.update(json: json, as: Guest.self)
        } else {
          try await magic.update(json: json, asListOf: Guest.self)
        }
      }
    } else {
      let file = file(path, options)
      var plan: MagicImportPlan?
      _ = try await attempt { plan = try await magic.importPlan(for: file) }
      guard try await contents(magic) == before else { throw Finding("A plan changed rows.") }
      isSaved = try await attempt { try await magic.importObjects(file) }
      if isSaved, let plan, !plan.isPossible {
        throw Finding("A file was imported, and its plan has errors: \(plan)")
      }
    }
    if !isSaved, try await contents(magic) != before {
      throw Finding("A refused import changed rows.")
    }
    let report = try await magic.verify()
    guard report.isSound else { throw Finding("The database is not sound: \(report)") }
  }

  private static func file(_ path: String, _ options: UInt8) -> MagicImport<Guest> {
    var file = MagicImport(Guest.self, from: path)
    file.dates = dates(options)
    file.largestRecord = 4_096
    if options & 8 != 0 { file.property = { ["x", "note"].contains($0) ? nil : $0 } }
    if options & 16 != 0 { file.encoding = .utf8 }
    if options & 32 != 0 { file.firstRecord = 2 }
    if options & 64 != 0 { file.hasHeader = false }
    return file
  }

  private static func dates(_ options: UInt8) -> MagicImportDates {
    switch options & 7 {
    case 1: .format("dd/MM/yyyy")
    case 2: .secondsSince1970
    case 3: .millisecondsSince1970
    default: .detected
    }
  }

  /// Reads a file into a type of which only a description is known.
  private static func readRecords(_ path: String, _ options: UInt8) throws {
    var file = MagicImportFile(path: path)
    file.format = [.csv, .jsonLines, .json][Int(options) % 3]
    file.dates = dates(options >> 2)
    let kinds: [(String, MagicRecordReader.Kind)] = [
      ("id", .text), ("age", .integer), ("size", .real), ("isVIP", .boolean), ("born", .date),
      ("token", .uuid), ("balance", .decimal), ("photo", .bytes), ("tags", .json),
      ("host", .reference(.text)),
    ]
    _ = try FuzzTargets.attempt("a reader of records") {
      let reader = try MagicRecordReader(
        file, typeName: "Guest",
        properties: kinds.map { name, kind in
          .init(
            name: name, kind: kind, isOptional: true, typeName: "",
            referenceKey: name == "host" ? "id" : nil)
        })
      defer { reader.close() }
      _ = try reader.save { _ in }
    }
  }

  // MARK: Results

  /// Runs a call that may throw errors of the library.
  ///
  /// - Returns: Whether it threw none.
  /// - Throws: `Finding` if the call threw any other error.
  private static func attempt(_ body: () async throws -> Void) async throws -> Bool {
    do {
      try await body()
      return true
    } catch is MagicError {
      return false
    } catch {
      throw Finding("an import threw \(type(of: error)): \(error)")
    }
  }

  /// The objects as documents.
  private static func contents(_ magic: MagicData) async throws -> [String] {
    let guests = try await magic.query(Guest.self).order(by: \.$id).all()
    let rooms = try await magic.query(Room.self).order(by: \.$name).all()
    return [
      try await magic.json(contentsOf: guests).text, try await magic.json(contentsOf: rooms).text,
    ]
  }
}
