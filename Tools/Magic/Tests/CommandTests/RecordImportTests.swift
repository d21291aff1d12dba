import Foundation
import MagicData
import MagicSQLite
import Testing

/// CSV and JSON of other programs in types that only the database file describes.
@Suite struct RecordImportTests {
  enum Mood: String, Magical, Codable, CaseIterable { case calm, tired }

  final class Town: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var name: String
    @MagicValue var size: Int16 = 0

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Guest: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue(.unique) var name: String
    @MagicValue var rate: Double = 0
    @MagicValue var isMember: Bool = false
    @MagicValue var born: Date = Date(timeIntervalSinceReferenceDate: 0)
    @MagicValue var mood: Mood = .calm
    @MagicValue var tags: [String] = []
    @MagicValue var balance: Decimal = 0
    @OptionMagicValue var token: UUID?
    @OptionMagicValue var bytes: Data?
    @OptionMagicValue var town: Town?
    @MagicVersion var version: Int

    init() {}
    init(_ name: String) { self.name = name }
  }

  /// Its unique properties are not the primary.
  struct Seat: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue(.unique) var number: Int
    @MagicValue(.unique) var code: UUID = UUID()

    init() {}
    init(_ number: Int) { self.number = number }
  }

  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("records-\(UUID().uuidString)")

  private var database: String { directory.appendingPathComponent("a.sqlite3").path }

  /// Makes a database with a town and a guest, and a file; then runs a body.
  private func withFile(
    _ name: String, _ text: String, _ body: (_ file: String) async throws -> Void
  ) async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await reading { magic in
      let guest = Guest("Ann")
      guest.town = Town("Oslo")
      try await magic.update(guest)
    }
    let file = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    try await body(file.path)
  }

  private func reading(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: database)
    do {
      try await body(magic)
      #expect(try await magic.verify().isSound)
    } catch {
      await magic.close()
      throw error
    }
    await magic.close()
  }

  private func count<Model: MagicObject>(_ type: Model.Type) async throws -> Int {
    var count = 0
    try await reading { magic in count = try await magic.query(type).count() }
    return count
  }

  private static let header = "Name;rate;isMember;born;mood;tags;balance;token;bytes;town;Note\n"
  private static let options = ["--type", "Guest", "--map", "Name=name", "--map", "Note="]

  @Test func eachFormOfValueIsImportedFromCSV() async throws {
    let text =
      Self.header
      + #"Ben;2.5;yes;2024-05-31;tired;"[""a"",""b""]";12345678901234567890.25;"#
      + "6f9619ff-8b86-d011-b42d-00c04fc964ff;AQI=;Oslo;lost\n"
    try await withFile("guests.csv", text) { file in
      let run = await magic(["import", file, database] + Self.options)
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.output == "Imported 1 record into Guest.\n")
      try await reading { magic in
        let ben = try #require(
          try await magic.query(Guest.self).where { $0.$name == "Ben" }.first())
        #expect(ben.number == 2 && ben.rate == 2.5 && ben.isMember && ben.mood == .tired)
        #expect(ben.born == Date(timeIntervalSince1970: 1_717_113_600))
        #expect(ben.tags == ["a", "b"])
        #expect(ben.balance == Decimal(string: "12345678901234567890.25"))
        #expect(ben.token?.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
        #expect(ben.bytes == Data([1, 2]))
        #expect(ben.town?.name == "Oslo" && ben.version == 1)
        // The next object gets the next number and row ID.
        #expect(try await magic.insert(Guest("Cy")).rawValue == 3)
        #expect(try await magic.query(Guest.self).max(\.$number) == 3)
      }
    }
  }

  @Test func aPlanShowsWhatWouldBeLostAndWritesNothing() async throws {
    let text =
      "Name;rate;town;Note\nBen;x;;a\nCy;1;Rome;\nDo;2;Oslo;b\nAnn;1;;\n"
    try await withFile("Guest.csv", text) { file in
      let plan = await magic("import", file, database, "--plan", "--map", "Name=name")
      #expect(plan.status == 1)
      #expect(plan.lines.contains("Guest: 0 records can be imported, 4 have errors."))
      #expect(plan.lines.contains("  Name → name: String, 4 values"))
      #expect(plan.lines.contains("  Note → unknown, 2 values lost"))
      #expect(plan.output.contains("line 2, record 1, column rate: the value is not a number"))
      #expect(plan.output.contains("line 3, record 2, column town: there is no object"))
      #expect(plan.output.contains("line 4, record 3, column isMember: a new object needs"))
      let refused = await magic(
        "import", file, database, "--map", "Name=name", "--map", "Note=")
      #expect(refused.status != 0 && refused.messages.contains("line 2, record 1, column rate"))
      let stored = try await count(Guest.self)
      #expect(stored == 1)
    }
  }

  @Test func aRecordWithAStoredPrimaryUpdatesItsObject() async throws {
    let text =
      #"{"name":"Oslo","size":7}"# + "\n" + #"{"name":"Turku","size":8}"# + "\n"
      + #"{"name":"Turku","size":9}"# + "\n"
    try await withFile("Town.jsonl", text) { file in
      let plan = await magic("import", file, database, "--plan", "--json")
      let json = try #require(try plan.json() as? [String: Any])
      #expect(json["isPossible"] as? Bool == true && json["records"] as? Int == 3)
      #expect(await magic("import", file, database).status == 0)
      let rows = await magic(
        "query", database, "SELECT z_index, name, size FROM Town ORDER BY name", "--csv")
      #expect(rows.lines == ["z_index,name,size", "1,Oslo,7", "2,Turku,9"])
    }
  }

  @Test func jsonRefersToObjectsAndCountsVersions() async throws {
    let text =
      #"[{"number":1,"name":"Ann","rate":3,"town":{"$ref":"Oslo"}},{"number":1,"town":null}]"#
    try await withFile("guests.json", text) { file in
      let run = await magic("import", file, database, "--type", "Guest")
      #expect(run.status == 0, "\(run.messages)")
      try await reading { magic in
        let ann = try await magic.object(of: Guest.self, primary: 1)
        #expect(ann.rate == 3 && ann.town == nil && ann.version == 3)
      }
    }
  }

  @Test func aFlattedDocumentIsImported() async throws {
    let text = """
      [{"Guest":"1","Town":"2"},["3","4"],["5"],
      {"number":1,"name":"6","tags":"7","town":"5","rate":2},
      {"number":2,"name":"8","tags":"7","town":"5","rate":1,"isMember":true,"born":"9",
       "mood":"10","balance":"11"},
      {"name":"12","size":3},"Ann",["6","8"],"Ben","2024-05-31","tired","1.25","Oslo"]
      """
    try await withFile("guests.json", text) { file in
      let arguments = ["import", file, database, "--type", "Guest"]
      let plan = await magic(arguments + ["--plan"])
      #expect(plan.status == 0, "\(plan)")
      #expect(plan.lines.contains("Guest: 2 records can be imported, 0 have errors."))
      let run = await magic(arguments)
      #expect(run.output == "Imported 2 records into Guest.\n", "\(run)")
      try await reading { magic in
        let guests = try await magic.query(Guest.self).order(by: \.$number).all()
        #expect(guests.map(\.name) == ["Ann", "Ben"] && guests.map(\.rate) == [2, 1])
        #expect(guests.map(\.tags) == [["Ann", "Ben"], ["Ann", "Ben"]])
        #expect(guests.map(\.town?.name) == ["Oslo", "Oslo"])
        #expect(guests[1].mood == .tired && guests[1].balance == 1.25)
      }
    }
  }

  @Test func anErrorNamesItsLineAndLeavesNothing() async throws {
    let text = "name,size\nBergen,1\nRome,40000\n"
    try await withFile("Town.csv", text) { file in
      let run = await magic("import", file, database)
      #expect(run.status != 0)
      #expect(run.messages.contains("line 3, record 2, column size"))
      #expect(run.messages.contains("type Int16"))
      let stored = try await count(Town.self)
      #expect(stored == 1)
    }
  }

  /// The number of records of a long file, and of those that an import commits together.
  private static let (recordCount, batchSize) = (1_500, 1_000)
  /// The record that cannot be saved, in the second batch.
  private static let failingRecord = 1_200
  /// The towns that the database has before an import.
  private static let storedTowns = 1

  @Test func anImportInBatchesContinuesAtARecord() async throws {
    let (batchSize, failing) = (Self.batchSize, Self.failingRecord)
    var text = "name,size\n"
    for number in 1...Self.recordCount {
      text += "Town \(number),\(number == failing ? "x" : "1")\n"
    }
    try await withFile("Town.csv", text) { file in
      let failed = await magic("import", file, database, "--batches")
      #expect(failed.messages.contains("line \(failing + 1), record \(failing), column size"))
      #expect(failed.messages.contains("--resume \(batchSize + 1)"))
      let stored = try await count(Town.self)
      #expect(stored == Self.storedTowns + batchSize)
      try Data(text.replacingOccurrences(of: ",x\n", with: ",2\n").utf8).write(
        to: URL(fileURLWithPath: file))
      let resumed = await magic(
        "import", file, database, "--batches", "--resume", "\(batchSize + 1)")
      #expect(resumed.output == "Imported \(Self.recordCount - batchSize) records into Town.\n")
      let later = try await count(Town.self)
      #expect(later == Self.storedTowns + Self.recordCount)
    }
  }

  @Test func valuesThatTheDatabaseRefusesAreErrorsOfTheirRecord() async throws {
    let text = #"{"name":"Ann"}"#
    try await withFile("g.jsonl", text) { file in
      // The type needs other values of a new object, and the name is that of another one.
      let run = await magic("import", file, database, "--type", "Guest")
      #expect(run.messages.contains("line 1, record 1, column rate"))
      let full =
        #"{"name":"Ann","rate":1,"isMember":true,"born":0,"mood":"calm","tags":[],"balance":"1"}"#
      try Data(full.utf8).write(to: URL(fileURLWithPath: file))
      let unique = await magic("import", file, database, "--type", "Guest")
      #expect(unique.status != 0 && unique.messages.contains("line 1, record 1"))
      let plan = await magic("import", file, database, "--type", "Guest", "--plan")
      #expect(plan.status == 1 && plan.output.contains("0 records can be imported, 1 have errors"))
    }
  }

  @Test(arguments: [
    (#"{"number":7}"#, "code"), (#"{"code":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}"#, "number"),
  ])
  func onlyThePrimaryIsCountedForANewObject(_ text: String, _ missing: String) async throws {
    try await withFile("Seat.jsonl", text) { file in
      try await reading { try await $0.update(Seat(1)) }
      let run = await magic("import", file, database)
      #expect(run.status != 0)
      #expect(
        run.messages.contains("line 1, record 1, column \(missing): a new object needs a value"))
      #expect(!run.messages.contains(".."))
      let stored = try await count(Seat.self)
      #expect(stored == 1)
    }
  }

  @Test func anotherVersionThanTheStoredOneIsRefused() async throws {
    try await withFile("Guest.jsonl", #"{"number":1,"rate":2,"version":1}"#) { file in
      #expect(await magic("import", file, database).status == 0)
      let outdated = await magic("import", file, database)
      #expect(outdated.status != 0)
      #expect(outdated.messages.contains("column version: the version in the database is 2"))
      let plan = await magic("import", file, database, "--plan")
      #expect(plan.status == 1 && plan.output.contains("the version in the database is 2"))
      try await reading { magic in
        let ann = try await magic.object(of: Guest.self, primary: 1)
        #expect(ann.rate == 2 && ann.version == 2)
      }
    }
  }

  @Test func bytesInQuotesCanBeEmpty() async throws {
    let text = #"""
      number,bytes
      1,""
      """#
    try await withFile("Guest.csv", text) { file in
      #expect(await magic("import", file, database).status == 0)
      try await reading { magic in
        let ann = try await magic.object(of: Guest.self, primary: 1)
        #expect(ann.bytes == Data())
      }
    }
  }

  /// Makes the insertion of a town fail with an error that is not one of its values.
  private func breakInsertion(of name: String) throws {
    let connection = try SQLiteConnection(path: database)
    defer { connection.close() }
    try connection.execute(
      "CREATE TRIGGER broken BEFORE INSERT ON Town WHEN NEW.name = '\(name)' "
        + "BEGIN SELECT abs(-9223372036854775807 - 1); END")
  }

  @Test func anErrorOfTheDatabaseIsNoErrorOfARecordAndSaysWhereToContinue() async throws {
    var text = "name,size\n"
    for number in 1...Self.recordCount { text += "Town \(number),1\n" }
    try await withFile("Town.csv", text) { file in
      try breakInsertion(of: "Town \(Self.failingRecord)")
      for options in [[], ["--plan"]] {
        let failed = await magic(["import", file, database] + options)
        #expect(failed.status == 7 && failed.messages.contains("overflow"), "\(failed.messages)")
        #expect(!failed.messages.contains("record") && !failed.output.contains("record"))
      }
      let failed = await magic("import", file, database, "--batches")
      #expect(failed.status == 7 && !failed.messages.contains("line"), "\(failed.messages)")
      #expect(failed.messages.contains("up to record \(Self.batchSize) are committed"))
      #expect(failed.messages.contains("--resume \(Self.batchSize + 1)"))
      let stored = try await count(Town.self)
      #expect(stored == Self.storedTowns + Self.batchSize)
    }
  }

  @Test(arguments: ["Town.csv", "Town.jsonl"], [[], ["--plan"], ["--batches"]])
  func aMappingOfNoColumnIsRefused(_ name: String, _ options: [String]) async throws {
    let text = name.hasSuffix("csv") ? "name,size\nRome,1\n" : #"{"name":"Rome","size":1}"#
    try await withFile(name, text) { file in
      let run = await magic(
        ["import", file, database, "--map", "Nmae=name", "--map", "size=size"] + options)
      #expect(run.status == 64 && run.messages.contains("--map: Nmae."), "\(run.messages)")
      let stored = try await count(Town.self)
      #expect(stored == 1)
    }
  }

  @Test(arguments: [
    ["--type", "Nothing"], ["--model", "x"], ["--map", "=x"], ["--resume", "0"],
    ["--name", "a=b"], ["--dates", "seconds"], ["--dates", "yyyy-mm-dd"],
    ["--dates", "DD.MM.YYYY"],
    ["--dates", ""],
  ])
  func invalidOptionsAreRefused(_ options: [String]) async throws {
    try await withFile("Town.csv", "name,size\nRome,1\n") { file in
      #expect(await magic(["import", file, database] + options).status != 0)
      #expect(await magic("import", file, directory.path + "/none.sqlite3").status == 2)
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/none.sqlite3"))
      let stored = try await count(Town.self)
      #expect(stored == 1)
    }
  }
}
