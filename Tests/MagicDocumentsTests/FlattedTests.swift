import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A class of Realm: owners and cats refer to each other.
struct Keeper: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var born: Date?
  @MagicValue var nicknames: [String] = []
  @OptionMagicValue var friend: Keeper?
  @MagicValue var cats: [Cat] = []

  init() {}
}

struct Cat: MagicObject {
  @MagicValue var name: String
  @MagicValue var lives: Int = 9
  @OptionMagicValue var found: Date?
  @OptionMagicValue var keeper: Keeper?

  init() {}
}

/// Documents in the form of the package flatted, in which Realm Studio exports.
@Suite(.everyEngine) struct FlattedTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func file(_ text: String) throws -> String {
    let url = directory.file("keepers.json")
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private static let realm = """
    [{"Keeper":"1","Cat":"2"},
     ["3","4"],
     ["5","6"],
     {"name":"7","born":"8","nicknames":"9","friend":"4","cats":"10"},
     {"name":"11","born":null,"nicknames":"12","friend":"3","cats":"13"},
     {"name":"14","lives":7,"found":"8","keeper":"3"},
     {"name":"15","lives":9,"found":null,"keeper":null},
     "Ann \\"A\\"","2001-01-01T00:00:01.000Z",["16","7"],["5","6"],"Ben",[],["5"],"Tom","12","x"]
    """

  @Test func objectsThatReferToEachOtherAreImported() async throws {
    let magic = try await magic()
    let keepers = MagicImport(Keeper.self, from: try file(Self.realm))
    let plan = try await magic.importPlan(for: keepers)
    #expect(plan.isPossible && plan.records == 2, "\(plan)")
    #expect(try await magic.importObjects(keepers).records == 2)
    let (ann, ben) = (
      try await magic.object(of: Keeper.self, primary: "Ann \"A\""),
      try await magic.object(of: Keeper.self, primary: "Ben")
    )
    #expect(ann.nicknames == ["x", "Ann \"A\""] && ben.nicknames.isEmpty)
    #expect(ann.born == Date(timeIntervalSinceReferenceDate: 1) && ben.born == nil)
    #expect(ann.friend?.name == "Ben" && ben.friend?.name == ann.name)
    // A text of digits is a text.
    #expect(ann.cats.map(\.name) == ["Tom", "12"] && ben.cats.map(\.name) == ["Tom"])
    #expect(ann.cats.map(\.lives) == [7, 9] && ann.cats[0].keeper?.name == ann.name)
    #expect(ann.cats[0].found == Date(timeIntervalSinceReferenceDate: 1))
    #expect(try await magic.query(Cat.self).count() == 2)
    await magic.close()
  }

  @Test func aListIsADocument() async throws {
    let magic = try await magic()
    let path = try file(
      #"[["1","2"],{"name":"3","cats":"4"},{"name":"5","friend":"1"},"A",[],"B"]"#)
    #expect(try await magic.importObjects(MagicImport(Keeper.self, from: path)).records == 2)
    #expect(try await magic.object(of: Keeper.self, primary: "B").friend?.name == "A")
    await magic.close()
  }

  @Test func anImportBeginsAtARecord() async throws {
    let magic = try await magic()
    var keepers = MagicImport(Keeper.self, from: try file(Self.realm))
    keepers.firstRecord = 2
    #expect(try await magic.importObjects(keepers).records == 1)
    // The first record is contained in the second one.
    let ben = try await magic.object(of: Keeper.self, primary: "Ben")
    #expect(ben.friend?.friend?.name == "Ben" && ben.friend?.cats.count == 2)
    await magic.close()
  }

  @Test(arguments: [
    (#"[{"Keeper":"1"},["9"]]"#, 1, "a text is not the index of an element of the document"),
    (
      #"[{"Keeper":"1"},["2"],{"name":"x"}]"#, 1,
      "a text is not the index of an element of the document"
    ),
    (
      "[{\"Keeper\":\"1\"},\n[\"2\"],\n{\"name\":\"02\"}]", 3,
      "a text is not the index of an element of the document"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"0"}]"#, 1,
      "a text is not the index of an element of the document"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"99999999999999999999"}]"#, 1,
      "a text is not the index of an element of the document"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3","nicknames":"4"},"A",["4"]]"#, 1,
      "an array contains itself"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3","nicknames":"4"},"A",["5"],["4"]]"#, 1,
      "an array contains itself"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3","cats":[]},"A"]"#, 1,
      "an element contains another one instead of its index"
    ),
    (#"[{"Keeper":"1"},["2"],"A"]"#, 1, "a record is not an object"),
    (#"[{"Keeper":"1"},["2",null],{"name":"3"},"A"]"#, 1, "a record is not an object"),
    (#"[[1,2],[3,4]]"#, 1, "a record is not an object"),
    (#"[{"Keeper":"1"},["2","2"],{"name":"3"},"A"]"#, 1, "a list contains an object twice"),
    (#"[{"Cat":"1"},[]]"#, 1, "the document has no list with the name of the type"),
    (
      #"[{"Keeper":"1"},"A"]"#, 1,
      "the document is not an array of records, or an object with such arrays"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3"},"A",5]"#, 1,
      "an element is neither a text, nor an array, nor an object"
    ),
    (
      "[{\"Keeper\":\"1\"},[\"2\"],{\"name\":\"3\",\"nicknames\":\"4\"},\"A\",[\"5\"],\n\"a\u{1}\"]",
      2,
      "an element is not JSON"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3","nicknames":"4"},"A",["5"],"\x"]"#, 1,
      "an element is not JSON"
    ),
    (
      #"[{"Keeper":"1"},["2"],{"name":"3","nicknames":"4"},"A",["5"],"a" "b"]"#, 1,
      "an element is not JSON"
    ),
  ]) func aDocumentThatIsNotValidIsRefused(_ text: String, _ line: Int, _ reason: String)
    async throws
  {
    let magic = try await magic()
    let keepers = MagicImport(Keeper.self, from: try file(text))
    do {
      try await magic.importObjects(keepers)
      Issue.record("The file was imported.")
    } catch let error as MagicError {
      let cause = try #require(error.cause as? MagicImportError)
      #expect(error.code == .cannotDecode && cause.reason == reason && cause.line == line)
    }
    #expect(try await magic.importPlan(for: keepers).errorCount == 1)
    #expect(try await magic.query(Keeper.self).count() == 0)
    await magic.close()
  }

  @Test func nestedObjectsAndLargeRecordsAreLimited() async throws {
    let magic = try await magic()
    // Each array contains the next one twice: a record of 2^60 texts.
    let arrays = (0..<60).map { #"["\#($0 + 4)","\#($0 + 4)"]"# }.joined(separator: ",")
    let bomb = #"[{"Keeper":"1"},["2"],{"nicknames":"3"},\#(arrays),"x"]"#
    var keepers = MagicImport(Keeper.self, from: try file(bomb))
    keepers.largestRecord = 100_000
    await #expect { try await magic.importObjects(keepers) } throws: {
      "\($0)".contains("the record is larger than 100000 bytes")
    }
    let deep = (0..<100).map { #"["\#($0 + 4)"]"# }.joined(separator: ",")
    keepers = MagicImport(
      Keeper.self, from: try file(#"[{"Keeper":"1"},["2"],{"nicknames":"3"},\#(deep),"x"]"#))
    await #expect { try await magic.importObjects(keepers) } throws: {
      "\($0)".contains("more than 64 objects or arrays contain each other")
    }
    // Each of many records contains the same large text.
    let records = 3..<2_003
    let list = records.map { #""\#($0)""# }.joined(separator: ",")
    let all = records.map { _ in #"{"name":"2"}"# }.joined(separator: ",")
    let text = String(repeating: "x", count: 50_000)
    keepers = MagicImport(
      Keeper.self, from: try file(#"[{"Keeper":"1"},[\#(list)],"\#(text)",\#(all)]"#))
    keepers.largestRecord = 100_000
    await #expect { try await magic.importObjects(keepers) } throws: {
      "\($0)".contains("the records are more than 64 times larger than the document")
    }
    await magic.close()
  }

  @Test func sixtyFourObjectsMayContainEachOther() async throws {
    struct Link: MagicObject {
      @MagicValue var number: Int
      @OptionMagicValue var next: Link?
      init() {}
    }
    struct Chain: MagicObject {
      @MagicValue var links: [Link] = []
      init() {}
    }
    let magic = try await magic()
    let links = (1...62).map { #"{"number":\#($0),"next":\#($0 < 62 ? "\"\($0 + 4)\"" : "null")}"# }
      .joined(separator: ",")
    let chains = MagicImport(
      Chain.self, from: try file(#"[{"Chain":"1"},["2"],{"links":"3"},["4"],\#(links),"x"]"#))
    _ = try await magic.importObjects(chains)
    #expect(try await magic.query(Link.self).count() == 62)
    await magic.close()
  }
}
