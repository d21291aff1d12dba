import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// What an import checks and limits beside the values of the properties.
@Suite(.everyEngine) struct ImportLimitTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func guests(_ text: String, _ name: String = "guests.jsonl") throws -> MagicImport<Guest>
  {
    let url = directory.file(name)
    try Data(text.utf8).write(to: url)
    return MagicImport(Guest.self, from: url.path)
  }

  private func refusal(
    _ file: MagicImport<Guest>, _ magic: MagicData
  ) async throws -> MagicImportError {
    let error = await #expect(throws: MagicError.self) { try await magic.importObjects(file) }
    return try #require(error?.cause as? MagicImportError, "\(String(describing: error))")
  }

  @Test func aBatchEndsWhenItsRecordsAreLarge() async throws {
    let magic = try await magic()
    let long = String(repeating: "x", count: 1 << 20)
    var text = ""
    for number in 1...20 { text += "{\"id\":\"\(number)\",\"name\":\"\(long)\"}\n" }
    var file = try guests(text)
    file.commits = .eachBatch
    let next = Recorder<Int>()
    #expect(try await magic.importPlan(for: file).records == 20)
    try await magic.importObjects(file) { next.note($0.nextRecord) }
    #expect(next.all == [17, 21])
    #expect(try await magic.query(Guest.self).count() == 20)
    await magic.close()
  }

  @Test func aRecordLargerThanABatchIsSavedAlone() async throws {
    let magic = try await magic()
    let long = String(repeating: "x", count: 17 << 20)
    var file = try guests("id,name\na,\(long)\nb,x\nc,y\n", "a.csv")
    file.commits = .eachBatch
    let next = Recorder<Int>()
    try await magic.importObjects(file) { next.note($0.nextRecord) }
    #expect(next.all == [2, 4])
    await magic.close()
  }

  @Test func aKeyWithAnEscapeIsNotTheNameWithItsBytes() async throws {
    let magic = try await magic()
    var file = try guests(
      #"""
      {"id":"a","name":"A","x\\ny":1}
      {"id":"b","name":"B","x\ny":2}
      """#)
    file.property = { $0 == #"x\ny"# ? "rooms" : $0 == "x\ny" ? nil : $0 }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.columns.map(\.values) == [2, 2, 1, 1])
    try await magic.importObjects(file)
    #expect(try await magic.object(of: Guest.self, primary: "a").rooms == 1)
    #expect(try await magic.object(of: Guest.self, primary: "b").rooms == nil)
    await magic.close()
  }

  @Test func aReferenceWithAnEscapeIsNoRecord() async throws {
    let magic = try await magic()
    let fault = try await refusal(try guests(#"{"\u0024ref":"a"}"#), magic)
    #expect(fault.reason == "a record is a reference")
    await magic.close()
  }

  @Test(arguments: [
    "tru", "[1,]", "{\"a\" 1}", "{\"a\":1,}", "\"\\q\"", "01", "[}", "{1:2}", "[1 2]", "+1", "nul",
    "\"\\ud800\"", "[\"a\u{1}\"]", "0x10",
  ]) func aValueThatIsLeftOutIsChecked(_ value: String) async throws {
    let magic = try await magic()
    var file = try guests("{\"id\":\"a\",\"name\":\"A\",\"note\":{\"x\":\(value)}}")
    file.property = { $0 == "note" ? nil : $0 }
    let fault = try await refusal(file, magic)
    #expect(fault.line == 1 && fault.column == "note", "\(fault)")
    #expect(try await magic.importPlan(for: file).errorCount == 1)
    await magic.close()
  }

  @Test func keysThatAreValuesDoNotFillTheMemory() async throws {
    let magic = try await magic()
    var text = ""
    for number in 1...1_500 {
      text += "{\"id\":\"\(number)\",\"name\":\"n\",\"key \(number)\":{\"a\":[1]},\"rooms\":1}\n"
    }
    var file = try guests(text)
    file.property = { $0.hasPrefix("key") ? nil : $0 }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.columns.count == 1_000 && plan.isPossible && plan.records == 1_500)
    // Three of the columns have properties.
    #expect(plan.unlistedValues == 1_500 - 997)
    #expect(plan.description.contains("other keys → left out, 503 values lost"))
    #expect(try await magic.importObjects(file).records == 1_500)
    #expect(try await magic.query(Guest.self).where { $0.$rooms == 1 }.count() == 1_500)
    file.property = { Int($0.dropFirst(4)) ?? 0 > 997 ? $0 : $0.hasPrefix("key") ? nil : $0 }
    let unknown = try await magic.importPlan(for: file)
    #expect(!unknown.isPossible && unknown.columns.allSatisfy { !$0.isUnknown })
    let fault = try await refusal(file, magic)
    #expect(fault.record == 998 && fault.column == "key 998", "\(fault)")
    await magic.close()
  }

  @Test func aPropertyAfterManyKeysIsAColumn() async throws {
    let magic = try await magic()
    let keys = (1...1_200).map { "\"key \($0)\":1," }.joined()
    var file = try guests("{\(keys)\"id\":\"a\",\"name\":\"n\"}\n{\"id\":\"b\",\"name\":\"m\"}\n")
    file.property = { $0.hasPrefix("key") ? nil : $0 }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.columns.first { $0.name == "name" }?.values == 2)
    #expect(plan.columns.count == 1_002 && plan.unlistedValues == 200)
    #expect(try await magic.importObjects(file).records == 2)
    await magic.close()
  }

  @Test func theNamesOfKeysAreLimitedTogether() async throws {
    let magic = try await magic()
    var text = ""
    for number in 1...40 {
      let key = String(repeating: "k", count: 100_000) + "\(number)"
      text += "{\"id\":\"\(number)\",\"name\":\"n\",\"\(key)\":1}\n"
    }
    var file = try guests(text)
    file.property = { $0.hasPrefix("k") ? nil : $0 }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.columns.count == 12 && plan.unlistedValues == 30)
    await magic.close()
  }

  @Test(arguments: ["", "\n", "a,A,x\n"])
  func anUnknownColumnIsRefusedWithAndWithoutRecords(_ records: String) async throws {
    let magic = try await magic()
    var file = try guests("id,name,other\n" + records, "a.csv")
    #expect(try await !magic.importPlan(for: file).isPossible)
    let fault = try await refusal(file, magic)
    #expect(fault.line == 1 && fault.record == 0 && fault.column == "other", "\(fault)")
    file.property = { $0 == "other" ? nil : $0 }
    #expect(try await magic.importPlan(for: file).isPossible)
    #expect(try await magic.importObjects(file).records == (records.count > 1 ? 1 : 0))
    await magic.close()
  }
}
