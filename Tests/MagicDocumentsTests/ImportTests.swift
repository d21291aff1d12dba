import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A type with the values that files of other programs contain.
struct Guest: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @OptionMagicValue var born: Date?
  @OptionMagicValue var size: Double?
  @OptionMagicValue var rooms: Int?
  @MagicValue var isVIP: Bool = false
  @MagicValue var rank: Rank = .low
  @MagicValue var tags: [String] = []
  @OptionMagicValue var host: Guest?

  init() {}
}

/// Files that are imported into types.
@Suite(.everyEngine) struct ImportTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func file(
    _ text: String, _ name: String = "guests.csv", _ encoding: String.Encoding = .utf8
  ) throws -> String {
    let url = directory.file(name)
    try #require(text.data(using: encoding)).write(to: url)
    return url.path
  }

  /// The error of an import, which has stored nothing.
  private func refusal<Model: MagicObject>(
    _ file: MagicImport<Model>, _ magic: MagicData
  ) async throws -> MagicImportError {
    do {
      try await magic.importObjects(file)
    } catch let error as MagicError {
      #expect(try await magic.query(Model.self).count() == 0)
      return try #require(error.cause as? MagicImportError, "\(error)")
    }
    Issue.record("The file was imported.")
    return try #require(nil)
  }

  @Test func fieldsOfCSVBecomeValues() async throws {
    let magic = try await magic()
    let path = try file(
      """
      id,Full name,born,size,rooms,isVIP,rank,tags,host\r
      a,"Ann, ""A""\r
      Smith",2001-01-02,1.5,-3,yes,1,"[""x"",""y""]",\r
      \r
      b,Béa,1.2.2003,,,0,0,[],a\r
      """)
    var guests = MagicImport(Guest.self, from: path)
    guests.property = { $0 == "Full name" ? "name" : $0 }
    let imported = try await magic.importObjects(guests)
    #expect(imported.records == 2 && imported.lastLine == 5)
    let ann = try await magic.object(of: Guest.self, primary: "a")
    #expect(ann.name == "Ann, \"A\"\r\nSmith" && ann.tags == ["x", "y"] && ann.rank == .high)
    #expect(ann.born == Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(ann.size == 1.5 && ann.rooms == -3 && ann.isVIP && ann.host == nil)
    let bea = try await magic.object(of: Guest.self, primary: "b")
    #expect(bea.name == "Béa" && bea.size == nil && bea.rooms == nil && !bea.isVIP)
    #expect(bea.host?.id == "a" && bea.tags.isEmpty)
    #expect(bea.born == Date(timeIntervalSince1970: 1_044_057_600))
    await magic.close()
  }

  @Test(arguments: [",", ";", "\t", "|"]) func theDelimiterIsDetected(_ delimiter: String)
    async throws
  {
    let magic = try await magic()
    let rows = [["id", "name"], ["1", "\"a\(delimiter)b\""], ["2", "x:y"]]
    let text = rows.map { $0.joined(separator: delimiter) }.joined(separator: "\n")
    try await magic.importObjects(MagicImport(Guest.self, from: file(text)))
    #expect(
      try await magic.object(of: Guest.self).map(\.name) == ["a\(delimiter)b", "x:y"])
    await magic.close()
  }

  @Test(arguments: [
    (String.Encoding.utf8, ""), (.utf8, "\u{FEFF}"), (.utf16LittleEndian, "\u{FEFF}"),
    (.utf16BigEndian, "\u{FEFF}"), (.windowsCP1252, ""),
  ]) func encodingsAreDetected(_ encoding: String.Encoding, _ mark: String) async throws {
    let magic = try await magic()
    let name = encoding == .windowsCP1252 ? "Zoë €" : "Zoë € 😀"
    // The character is on the border of two pieces.
    // The encoding is determined by the first piece.
    for padding in [0, 131_060] + (encoding == .windowsCP1252 ? [] : [262_130]) {
      let text = "\(mark)id,name\n\(padding),\(String(repeating: "x", count: padding))\(name)\n"
      try await magic.importObjects(MagicImport(Guest.self, from: file(text, "a.csv", encoding)))
      let guest = try await magic.object(of: Guest.self, primary: "\(padding)")
      #expect(guest.name.hasSuffix("x\(name)") || guest.name == name)
    }
    await magic.close()
  }

  @Test func objectsOfJSONAreImported() async throws {
    let magic = try await magic()
    let lines = try file(
      """
      {"id":"a","name":"Ann","born":"2001-01-01T00:00:01Z","tags":["x"]}

       {"id":"b","name":"Ben","host":{"$ref":"a"},"born":2.5,"note":{"a":[1]}}\u{20}
      """, "guests.jsonl")
    var guests = MagicImport(Guest.self, from: lines)
    guests.property = { $0 == "note" ? nil : $0 }
    #expect(try await magic.importObjects(guests).records == 2)
    let ben = try await magic.object(of: Guest.self, primary: "b")
    #expect(ben.host?.tags == ["x"] && ben.born == Date(timeIntervalSinceReferenceDate: 2.5))
    #expect(ben.host?.born == Date(timeIntervalSinceReferenceDate: 1))
    // A record that is stored is updated, and keeps what the file does not contain.
    let array = try file(
      " [ {\"id\":\"a\",\"name\":\"],\\\"{\"},\n{\"id\":\"c\",\"name\":\"Cy\",\"host\":{\"id\":\"d\",\"name\":\"D\"}} ]\n",
      "guests.json")
    #expect(try await magic.importObjects(MagicImport(Guest.self, from: array)).lastLine == 2)
    let all = try await magic.query(Guest.self).order(by: \.$id).all()
    #expect(all.map(\.name) == ["],\"{", "Ben", "Cy", "D"] && all[0].tags == ["x"])
    #expect(
      try await magic.importObjects(MagicImport(Guest.self, from: file("[ ]", "e.json"))).records
        == 0)
    #expect(
      try await magic.importObjects(MagicImport(Guest.self, from: file("", "e.csv"))).records == 0)
    await magic.close()
  }

  @Test func datesHaveTheGivenForm() async throws {
    let magic = try await magic()
    let forms: [(MagicImportDates, String, Double)] = [
      (.format("dd/MM/yyyy HH:mm"), "29/2/2024 23:59", 1_709_251_140),
      (.format("yyyyMMdd"), "19991231", 946_598_400), (.format("M/d/yy"), "7/4/76", 205_286_400),
      (.secondsSince1970, "1.5", 1.5), (.secondsSince2001, "1.5", 978_307_201.5),
      (.millisecondsSince1970, "1500", 1.5),
      (.detected, "2024-05-31T18:30:00.25+02:00", 1_717_173_000.25),
      (.detected, "2024/05/31 18:30", 1_717_180_200),
    ]
    for (dates, text, seconds) in forms {
      for (name, content) in [
        ("a.csv", "id,name,born\na,a,\(text)"),
        ("a.jsonl", #"{"id":"a","name":"a","born":"\#(text)"}"#),
      ] {
        var guests = MagicImport(Guest.self, from: try file(content, name))
        guests.dates = dates
        try await magic.importObjects(guests)
        let born = try await magic.object(of: Guest.self, primary: "a").born
        #expect(born == Date(timeIntervalSince1970: seconds), "\(text) in \(name)")
      }
    }
    for text in ["30/2/2024 10:00", "1/1/2024", "1/1/2024 24:00", "1/1/2024 10:00 "] {
      var guests = MagicImport(Guest.self, from: try file("id,name,born\na,a,\(text)"))
      guests.dates = .format("dd/MM/yyyy HH:mm")
      await #expect(throws: MagicError.self) { try await magic.importObjects(guests) }
    }
    for (form, text) in [("d.M.yyyy", "1.2.03"), ("d.M.yyyy", "1.2.203"), ("d.M.yy", "1.2.3")] {
      var guests = MagicImport(Guest.self, from: try file("id,name,born\na,a,\(text)"))
      guests.dates = .format(form)
      await #expect(throws: MagicError.self) { try await magic.importObjects(guests) }
    }
    await magic.close()
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let text: String
    let name: String
    let line: Int
    let column: String?
    var testDescription: String { "\(name) \(line) \(text.prefix(40))" }
  }

  static let refused = [
    ("id,name\na,b\nc", "a.csv", 3, nil), ("id,name\na,\"b", "a.csv", 2, nil),
    ("id,name\na,\"b\"c", "a.csv", 2, nil), ("id,id\na,b", "a.csv", 1, "id"),
    ("id,name,other\na,b,c", "a.csv", 1, "other"), ("id,name,rooms\na,b,1.5", "a.csv", 2, "rooms"),
    ("id,name,rooms\n\na,b,9223372036854775808", "a.csv", 3, "rooms"),
    ("id,name,isVIP\na,b,maybe", "a.csv", 2, "isVIP"), ("id,name,size\na,b,x", "a.csv", 2, "size"),
    ("id,name,born\na,b,1/2/2024", "a.csv", 2, "born"),
    ("id,name,born\na,b,1987", "a.csv", 2, "born"),
    ("id,name,born\na,b,1.2.03", "a.csv", 2, "born"),
    ("{\"id\":\"a\",\"name\":\"b\",\"born\":\"1987\"}", "a.jsonl", 1, "born"),
    ("id,name,rooms\r\ra,b,1\rc,d,x\r", "a.csv", 4, "rooms"),
    ("id,name,rooms\r\na,\"b\r\rc\",1\r\n\"c\",d,x", "a.csv", 5, "rooms"),
    ("id,name,rank\na,b,7", "a.csv", 2, "rank"),
    ("id,name,tags\na,b,[1", "a.csv", 2, "tags"), ("id,name,host\na,b,z", "a.csv", 2, "host"),
    ("id\na", "a.csv", 2, "name"), ("{\"id\":\"a\",\"name\":\"b\"}\n{", "a.jsonl", 2, nil),
    ("{\"id\":\"a\",\"name\":1}", "a.jsonl", 1, "name"), ("[1]", "a.jsonl", 1, nil),
    ("{\"id\":\"a\",\"name\":\"b\",\"other\":1}", "a.jsonl", 1, "other"),
    ("{}", "a.json", 1, nil), ("[{\"id\":\"a\",\"name\":\"b\"}", "a.json", 1, nil),
    ("[{\"id\":\"a\",\"name\":\"b\"},]", "a.json", 1, nil), ("[] x", "a.json", 1, nil),
    ("{\"$ref\":\"a\"}", "a.jsonl", 1, nil),
    (
      "{\"id\":\"a\",\"name\":\"b\",\"host\":\(String(repeating: "{\"host\":", count: 100_000))",
      "a.jsonl", 1, nil
    ),
  ].map { Refused(text: $0.0, name: $0.1, line: $0.2, column: $0.3) }

  @Test(arguments: refused) func aWrongRecordIsNamedByItsLineAndColumn(_ refused: Refused)
    async throws
  {
    let magic = try await magic()
    let guests = MagicImport(Guest.self, from: try file(refused.text, refused.name))
    let error = try await refusal(guests, magic)
    #expect(error.line == refused.line && error.column == refused.column, "\(error)")
    #expect(error.nextRecord == 1)
    await magic.close()
  }

  @Test func theErrorOfAMisspeltColumnNamesTheNearestProperty() async throws {
    let magic = try await magic()
    for (text, name) in [
      ("id,naem\na,b\n", "a.csv"), (#"{"id":"a","naem":"b"}"#, "a.jsonl"),
    ] {
      let error = try await refusal(MagicImport(Guest.self, from: file(text, name)), magic)
      #expect(error.column == "naem" && error.reason.contains("did you mean name?"), "\(error)")
    }
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(json: MagicJSON(#"{"id":"a","naem":"b"}"#), as: Guest.self)
    }
    #expect(error?.message.contains("did you mean name?") == true)
    await magic.close()
  }

  @Test func aHugeRecordIsRefusedBeforeItIsRead() async throws {
    let magic = try await magic()
    let long = String(repeating: "x", count: 3_000_000)
    for (name, text) in [
      ("a.csv", "id,name\na,\(long)"), ("b.csv", "id,name\na,\"\(long)\""),
      ("c.csv", "id,name\n" + String(repeating: ",", count: 3_000_000)),
      ("d.csv", String(repeating: ",", count: 3_000_000)),
      ("a.jsonl", "{\"id\":\"\(long)\"}"), ("a.json", "[{\"id\":\"\(long)\"}]"),
    ] {
      var guests = MagicImport(Guest.self, from: try file(text, name))
      guests.largestRecord = 100_000
      #expect(try await refusal(guests, magic).reason.contains("larger than"))
    }
    await magic.close()
  }

  @Test func aPlanNamesWhatWouldBeLost() async throws {
    let magic = try await magic()
    let path = try file("id,name,rooms,note,old\na,A,1,n,\nb,B,x,,o\nc,C,3,n,o\n")
    var guests = MagicImport(Guest.self, from: path)
    guests.property = { $0 == "old" ? nil : $0 }
    let plan = try await magic.importPlan(for: guests)
    #expect(plan.records == 2 && plan.errorCount == 1 && !plan.isPossible)
    #expect(plan.errors.map(\.line) == [3] && plan.errors[0].column == "rooms")
    #expect(plan.columns.map(\.property) == ["id", "name", "rooms", nil, nil])
    #expect(plan.columns.map(\.values) == [3, 3, 3, 2, 2])
    #expect(plan.columns.map(\.lostValues) == [0, 0, 0, 2, 2])
    #expect(plan.columns.map(\.isUnknown) == [false, false, false, true, false])
    #expect(plan.columns[2].type == "Int")
    #expect(plan.properties == ["born", "size", "isVIP", "rank", "tags", "host"])
    #expect(plan.description.contains("note → unknown, 2 values lost"))
    #expect(try await magic.query(Guest.self).count() == 0)
    await magic.close()
  }

  /// A file with 3,500 records, of which one is wrong.
  private func long(wrongLine: Int?) throws -> String {
    var text = "id,name,rooms\n"
    for line in 2...3_501 { text += "\(line),n,\(line == wrongLine ? "x" : "1")\n" }
    return try file(text)
  }

  @Test func aWrongRecordUndoesAllRecordsBeforeIt() async throws {
    let magic = try await magic()
    let guests = MagicImport(Guest.self, from: try long(wrongLine: 3_000))
    #expect(try await refusal(guests, magic).line == 3_000)
    await magic.close()
  }

  @Test func anImportContinuesAfterTheLastBatch() async throws {
    let magic = try await magic()
    var guests = MagicImport(Guest.self, from: try long(wrongLine: 3_000))
    guests.commits = .eachBatch
    var next = 0
    do {
      try await magic.importObjects(guests)
    } catch let error as MagicError {
      next = try #require((error.cause as? MagicImportError)?.nextRecord)
    }
    #expect(next == 2_001)
    #expect(try await magic.query(Guest.self).count() == 2_000)
    guests.path = try long(wrongLine: nil)
    guests.firstRecord = next
    #expect(try await magic.importObjects(guests).records == 1_500)
    #expect(try await magic.query(Guest.self).count() == 3_500)
    await magic.close()
  }

  /// Files with 2,500 records on one line, or on lines that end with a carriage return. A value of one
  /// record can be wrong.
  private static let dense: [(name: String, text: @Sendable (_ wrong: Int) -> String)] = [
    (
      "a.json",
      { wrong in
        let records = (1...2_500).map {
          "{\"id\":\"\($0)\",\"name\":\"n\",\"rooms\":\($0 == wrong ? "\"\"" : "1")}"
        }
        return "[\(records.joined(separator: ","))]"
      }
    ),
    (
      "a.csv",
      { wrong in
        "id,name,rooms\r"
          + (1...2_500).map { "\($0),n,\($0 == wrong ? "x" : "1")\r" }.joined()
      }
    ),
  ]

  @Test(arguments: 0..<2) func noRecordIsSkippedWhereManyBeginOnOneLine(_ index: Int) async throws {
    let magic = try await magic()
    let (name, text) = Self.dense[index]
    var guests = MagicImport(Guest.self, from: try file(text(2_200), name))
    guests.commits = .eachBatch
    var fault: MagicImportError?
    do {
      try await magic.importObjects(guests)
    } catch let error as MagicError {
      fault = error.cause as? MagicImportError
    }
    #expect(fault?.record == 2_200 && fault?.nextRecord == 2_001 && fault?.column == "rooms")
    #expect(fault?.line == (index == 0 ? 1 : 2_201))
    guests.path = try file(text(0), name)
    guests.firstRecord = try #require(fault?.nextRecord)
    #expect(try await magic.importObjects(guests).records == 500)
    #expect(try await magic.query(Guest.self).count() == 2_500)
    await magic.close()
  }

  @Test(arguments: [1, 999, 1_001]) func aLaterRecordUpdatesTheObjectOfAnEarlierOne(
    _ distance: Int
  ) async throws {
    let magic = try await magic()
    var text = "id,name,rooms,host\na,old,1,\n"
    for number in 1..<distance { text += "\(number),n,,a\n" }
    text += "a,new,,\na,newest,,\nz,Z,,a\n"
    let guests = MagicImport(Guest.self, from: try file(text))
    let plan = try await magic.importPlan(for: guests)
    #expect(plan.isPossible && plan.records == distance + 3, "\(plan)")
    #expect(try await magic.importObjects(guests).records == distance + 3)
    #expect(try await magic.query(Guest.self).count() == distance + 1)
    #expect(try await magic.object(of: Guest.self, primary: "a").name == "newest")
    #expect(try await magic.object(of: Guest.self, primary: "z").host?.name == "newest")
    await magic.close()
  }

  @Test func aPlanChecksReferencesMissingValuesAndVersions() async throws {
    let magic = try await magic()
    var text = "id,name,host\n"
    for number in 1...1_500 { text += "\(number),n,\(number > 1_200 ? "1" : "")\n" }
    let possible = MagicImport(Guest.self, from: try file(text))
    #expect(try await magic.importPlan(for: possible).isPossible)
    let wrong = MagicImport(Guest.self, from: try file(text + "a,b,nobody\n5,c,2000\n"))
    let plan = try await magic.importPlan(for: wrong)
    #expect(plan.records == 1_500 && plan.errorCount == 2 && !plan.isPossible)
    #expect(plan.errors.map(\.line) == [1_502, 1_503] && plan.errors[0].column == "host")
    #expect(try await refusal(wrong, magic).line == 1_502)

    let lacking = MagicImport(Guest.self, from: try file("id,rooms\na,1\n"))
    #expect(try await magic.importPlan(for: lacking).errors.map(\.column) == ["name"])

    try await magic.update(Numbered("a"))
    let stale = MagicImport(
      Numbered.self,
      from: try file("number,text,version\n1,b,1\n1,c,7\n"))
    #expect(try await magic.importPlan(for: stale).errors.map(\.record) == [2])
    await magic.close()
  }

  @Test func halfACharacterOfUTF16IsRefused() async throws {
    let magic = try await magic()
    for (units, line) in [([0xD800, 0x61], 2), ([0x61, 0xDC00], 2), ([0xD83D], 2)] {
      let text = Array("\u{FEFF}id,name\na,".utf16) + units.map { UInt16($0) }
      let url = directory.file("a.csv")
      try Data(text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).write(to: url)
      let error = try await refusal(MagicImport(Guest.self, from: url.path), magic)
      #expect(error.line == line && error.column == "name", "\(error)")
    }
    await magic.close()
  }

  @Test func aCancelledImportLeavesNothing() async throws {
    let magic = try await magic()
    let guests = MagicImport(Guest.self, from: try long(wrongLine: nil))
    let lines = Recorder<Int>()
    let task = Task {
      try await magic.importObjects(guests) { progress in
        lines.note(progress.nextRecord)
        if lines.all.count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(lines.all == [1, 1])
    #expect(try await magic.query(Guest.self).count() == 0)
    await magic.close()
  }

  @Test func aRefusalOfTheDatabaseNamesTheLines() async throws {
    struct Seat: MagicObject {
      @MagicValue(.unique) var number: Int
      init() {}
    }
    let magic = try await magic()
    let seats = MagicImport(Seat.self, from: try file("number\n1\n2\n1\n"))
    do {
      try await magic.importObjects(seats)
      Issue.record("Two rows have one number.")
    } catch let error as MagicError {
      #expect(error.code == .notUnique)
      #expect((error.cause as? MagicImportError)?.line == 2)
    }
    #expect(try await magic.query(Seat.self).count() == 0)
    await magic.close()
  }
}
