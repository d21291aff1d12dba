import CopySupport
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Bytes that the default value of the type would not replace.
private struct Blobs: MagicObject {
  @OptionMagicValue var optional: Data?
  @MagicValue var required: Data = Data([9])

  init() {}
  init(_ data: Data?) { (optional, required) = (data, data ?? Data()) }
}

/// Exports of databases as CSV and as SQL.
@Suite struct TextExportTests {
  private let directory: TemporaryDirectory
  private let file: String
  private let folder: String

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("source.sqlite3").path
    folder = directory.file("export").path
  }

  private func filling(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: file)
    try await body(magic)
    await magic.close()
  }

  /// The rows of a statement with the classes and the bits of all values.
  private static func rows(_ sql: String, _ columns: [String], in path: String) throws -> [String] {
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readOnly))
    defer { connection.close() }
    let statement = try connection.prepare(
      "SELECT \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \(sql) ORDER BY 1, 2")
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        columns.indices.map { index in
          let column = statement.column(index)
          switch column.type {
          case .null: return "null"
          case .integer: return "integer \(column.integer)"
          case .real: return "real \(column.real.bitPattern)"
          case .text: return "text \(Array(column.textBytes))"
          case .blob: return "blob \(Array(column.blobBytes))"
          }
        }.joined(separator: "|"))
    }
    return rows
  }

  /// Reads the SQL with the shell of SQLite if there is one, and otherwise with a connection.
  private func load(_ name: String, withShell: Bool) throws -> String {
    let (path, sql) = (directory.file(name).path, "\(folder)/database.sql")
    guard withShell else {
      let connection = try SQLiteConnection(path: path)
      defer { connection.close() }
      try connection.execute(String(contentsOfFile: sql, encoding: .utf8))
      return path
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", path]
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: sql))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return path
  }

  static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test(arguments: hasShell ? [true, false] : [false])
  func sqliteReadsTheSameRowsFromTheSQL(withShell: Bool) async throws {
    let reals: [Double] = [
      0.1, 0.30000000000000004, 1e22, 1e23, .leastNonzeroMagnitude, 2.2250738585072014e-308,
      1.7976931348623157e308,
      9_007_199_254_740_992, -123_456.789, -1e-7, 3.141592653589793, .infinity, -.infinity, -0.0,
    ]
    try await filling { magic in
      try await CopiedDatabase.fill(magic)
      for real in reals {
        let sample = Sample()
        (sample.real, sample.number) = (real, -real)
        sample.text = "it's\r\n\"a\"\n.quit\n/\n\u{7F}"
        sample.data = Data([0, 39, 255])
        try await magic.update(sample)
      }
    }
    let copied = try await MagicData.copy(from: .file(file), to: .sql(folder))
    #expect(!copied.isCompared && copied.incompleteTypes.isEmpty)
    let copy = try load("copy.sqlite3", withShell: withShell)

    let source = try SQLiteConnection(
      path: file, configuration: SQLiteConfiguration(access: .readOnly))
    defer { source.close() }
    for type in ["Sample", "Band", "Song", "Tour"] {
      let columns = try source.textColumn(
        "SELECT name FROM pragma_table_info('\(type)') WHERE name NOT LIKE 'magic%' "
          + "AND name NOT LIKE '%.%' AND name NOT LIKE '% %'")
      let expected = try Self.rows("\"\(type)\"", columns, in: file)
      #expect(!expected.isEmpty)
      #expect(try Self.rows("\"\(type)\"", columns, in: copy) == expected)
    }
    for (name, key) in [("tours", "position"), ("guests", "key"), ("rivals", "target")] {
      let columns = ["owner", key, "target"]
      let expected = try Self.rows("\"magic_Band.\(name)\"", columns, in: file)
      #expect(!expected.isEmpty)
      #expect(try Self.rows("\"Band.\(name)\"", columns, in: copy) == expected)
    }
    let loaded = try SQLiteConnection(path: copy)
    defer { loaded.close() }
    #expect(try loaded.integer("SELECT count(*) FROM \"Band.songs\"") == 4)
    #expect(try loaded.textColumn("PRAGMA foreign_key_check") == [])
    #expect(
      try loaded.integer("SELECT count(*) FROM pragma_index_list('Tour') WHERE \"unique\"") == 1)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder + "/assets").filter {
        $0.contains("/")
      }.count == 2)
  }

  @Test func csvHasAFileForEachTypeAndCollection() async throws {
    try await filling { magic in
      let (band, song) = (Band("One, \"two\""), Song(""))
      song.writer = band
      band.songs = [song]
      band.guests = [0.5: song]
      try await magic.update(band)
    }
    try await MagicData.copy(from: .file(file), to: .csv(folder))
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    #expect(try text("Band.csv") == "z_index,name\n1,\"One, \"\"two\"\"\"\n")
    #expect(try text("Song.csv") == "z_index,title,mood,writer.z_index,sound\n1,\"\",calm,1,\n")
    #expect(try text("Band.guests.csv") == "owner,key,target\n1,0.5,1\n")
    #expect(try text("Band.rivals.csv") == "owner,target\n")
    #expect(try text("Tour.csv").hasPrefix("z_index,number,isOver,code\n"))
  }

  @Test func anImportOfCSVHasTheSameValues() async throws {
    let stored = Sample()
    stored.text = " a;b\r\nc\u{0}"
    stored.uuid = UUID()
    (stored.int, stored.small, stored.flag) = (.min, -128, true)
    (stored.real, stored.single, stored.number) = (-0.0, 0.1, -.infinity)
    stored.date = Date(timeIntervalSinceReferenceDate: 738_000_000.125)
    stored.decimal = Decimal(string: "-12345678901234567890.123456789")!
    (stored.data, stored.bytes, stored.note) = (Data([0, 255]), [7], "")
    (stored.list, stored.map) = (["a", "\""], ["x,y": 1])
    try await filling { try await $0.update(stored) }
    try await MagicData.copy(from: .file(file), to: .csv(folder))
    #expect(
      try String(contentsOfFile: folder + "/Sample.csv", encoding: .utf8).contains(
        "2024-05-21T16:00:00.125Z"))
    let other = try await MagicData(type: .temporary)
    var records = MagicImport(Sample.self, from: folder + "/Sample.csv")
    records.property = { $0 == "z_index" ? nil : $0 }
    #expect(try await other.importPlan(for: records).isPossible)
    try await other.importObjects(records)
    let read = try #require(try await other.object(of: Sample.self).first)
    #expect(read.values == stored.values)
    #expect(read.real.sign == .minus)
    await other.close()
  }

  /// Returns the error of an import of exported CSV.
  private func refusal<Model: MagicObject>(
    _ file: MagicImport<Model>, _ magic: MagicData
  ) async throws -> MagicImportError {
    do {
      try await magic.importObjects(file)
    } catch let error as MagicError {
      return try #require(error.cause as? MagicImportError, "\(error)")
    }
    Issue.record("The file was imported.")
    return try #require(nil)
  }

  @Test func anImportRefusesColumnsOfRowIDsUntilTheyAreLeftOut() async throws {
    try await filling { magic in
      let song = Song("One")
      song.writer = Band("Band")
      try await magic.update(song)
    }
    try await MagicData.copy(from: .file(file), to: .csv(folder))
    let other = try await MagicData(type: .temporary)
    // A row ID must not be read as the primary value of this band.
    try await other.update(Band("Other"))
    var records = MagicImport(Song.self, from: folder + "/Song.csv")
    records.property = { $0 == "z_index" || $0 == "sound" ? nil : $0 }
    let refusal = try await refusal(records, other)
    #expect(refusal.column == "writer.z_index" && refusal.reason.contains("no such property"))
    let plan = try await other.importPlan(for: records)
    #expect(!plan.isPossible && plan.columns.filter(\.isUnknown).map(\.name) == ["writer.z_index"])
    records.property = { ["z_index", "sound", "writer.z_index"].contains($0) ? nil : $0 }
    try await other.importObjects(records)
    let song = try #require(try await other.object(of: Song.self).first)
    #expect(song.title == "One" && song.writer == nil)
    await other.close()
  }

  @Test(arguments: [
    (738_000_000.125, "2024-05-21T16:00:00.125Z"), (0.9999996, "2001-01-01T00:00:01Z"),
    (59.9999999, "2001-01-01T00:01:00Z"), (0.9999994, "2001-01-01T00:00:00.999999Z"),
    (-0.0000001, "2001-01-01T00:00:00Z"), (-0.000001, "2000-12-31T23:59:59.999999Z"),
    (252_423_993_600, "252423993600.0"), (252_423_993_599.5, "9999-12-31T23:59:59.5Z"),
  ])
  func aDateIsRoundedToMicroseconds(_ seconds: Double, _ text: String) async throws {
    let stored = Sample()
    stored.date = Date(timeIntervalSinceReferenceDate: seconds)
    try await filling { try await $0.update(stored) }
    try await MagicData.copy(from: .file(file), to: .csv(folder))
    let csv = try String(contentsOfFile: folder + "/Sample.csv", encoding: .utf8)
    let fields = csv.split(separator: "\n").last.map { $0.split(separator: ",") } ?? []
    #expect(fields.contains(Substring(text)), "\(csv)")
  }

  @Test func emptyBytesHaveQuotesAndNullHasNone() async throws {
    let notes = [Blobs(nil), Blobs(Data()), Blobs(Data([1]))]
    try await filling { try await $0.update(contentsOf: notes) }
    try await MagicData.copy(from: .file(file), to: .csv(folder))
    #expect(
      try String(contentsOfFile: folder + "/Blobs.csv", encoding: .utf8)
        == "z_index,optional,required\n1,,\"\"\n2,\"\",\"\"\n3,AQ==,AQ==\n")
    let other = try await MagicData(type: .temporary)
    var records = MagicImport(Blobs.self, from: folder + "/Blobs.csv")
    records.property = { $0 == "z_index" ? nil : $0 }
    try await other.importObjects(records)
    let read = try await other.object(of: Blobs.self)
    #expect(read.map(\.optional) == [nil, Data(), Data([1])])
    #expect(read.map(\.required) == [Data(), Data(), Data([1])])
    await other.close()
  }

  @Test(arguments: [MagicDatabaseLocation.csv, MagicDatabaseLocation.sql])
  func aTextIsOnlyADestination(_ place: @Sendable (String) -> MagicDatabaseLocation) async throws {
    try await filling { try await $0.update(Song("One")) }
    try await MagicData.copy(from: .file(file), to: place(folder))
    do {
      try await MagicData.copy(from: place(folder), to: .file(directory.file("b.sqlite3").path))
      Issue.record("A database was imported from text.")
    } catch let error as MagicError {
      #expect(error.code == .invalidOption)
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("b.sqlite3").path))
    await #expect(throws: MagicError.self) {
      try await MagicData.copy(from: .file(file), to: place(folder))
    }
  }

  @Test(arguments: [MagicDatabaseLocation.csv, MagicDatabaseLocation.sql])
  func aCancelledExportLeavesNothing(
    _ place: @Sendable @escaping (String) -> MagicDatabaseLocation
  ) async throws {
    try await filling { magic in
      try await magic.update(contentsOf: (0..<5_000).map { Song("\($0)") })
    }
    let (file, folder) = (file, folder)
    let task = Task {
      try await MagicData.copy(from: .file(file), to: place(folder)) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // SQLite keeps the log of the source beside it.
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { !$0.hasPrefix("source.sqlite3") } == [])
  }

  @Test func aTextThatIsNotUTF8IsRefusedByCSVAndKeptBySQL() async throws {
    try await filling { try await $0.update(Song("text")) }
    let connection = try SQLiteConnection(path: file)
    try connection.execute("UPDATE Song SET title = CAST(x'61ff62' AS TEXT)")
    connection.close()
    do {
      try await MagicData.copy(from: .file(file), to: .csv(folder))
      Issue.record("The text was exported.")
    } catch let error as MagicError {
      #expect(error.code == .cannotEncode && error.property == "title")
    }
    try await MagicData.copy(from: .file(file), to: .sql(folder))
    let copy = try SQLiteConnection(path: load("copy.sqlite3", withShell: false))
    defer { copy.close() }
    #expect(try copy.integer("SELECT hex(CAST(title AS BLOB)) = '61FF62' FROM Song") == 1)
  }
}
