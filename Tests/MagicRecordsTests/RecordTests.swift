import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

private func record<Model: MagicObject>(
  of type: Model.Type, _ json: String
) throws -> MagicRecord<Model> {
  try JSONDecoder().decode(MagicRecord<Model>.self, from: Data(json.utf8))
}

@Suite(.everyEngine) struct RecordTests {
  let scratch = Scratch()

  @Test func aRecordIsEncodedWithTheNamesOfProperties() throws {
    let object = Everything()
    object.id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    object.asset = MagicAsset(value: "secret")
    #expect(
      try json(object.values) == """
        {"count":3,"data":"AQID","date":-978220800,"decimal":1.25,"heat":36.5,\
        "id":"00000000-0000-0000-0000-000000000001","isOn":true,\
        "job":{"since":-978307200,"title":"a"},"list":["x","y"],"maybe":4,"petName":null,\
        "rank":1,"url":"file:///a"}
        """)
  }

  @Test func theStrategiesOfTheEncoderApply() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let text = String(decoding: try encoder.encode(Everything().values), as: UTF8.self)
    #expect(text.contains(#""date":"1970-01-02T00:00:00Z""#))
    #expect(text.contains(#""since":"1970-01-01T00:00:00Z""#))
  }

  @Test func aDecodedRecordEqualsTheEncodedOne() throws {
    let object = Everything()
    object.text = "a"
    object.petName = "b"
    let values = object.values
    #expect(try record(of: Everything.self, json(values)) == values)
    #expect(try record(of: Everything.self, json(values)).hashValue == values.hashValue)
    let copy = try Everything(values)
    #expect(copy.values == values)
    #expect(copy.heat.degrees == 36.5)
    #expect(!copy.isSameRow(as: object))
  }

  @Test func aRecordIsASnapshot() {
    let object = Everything()
    let before = object.values
    #expect(before == object.values)
    object.heat = Celsius(1)
    #expect(before != object.values)
    #expect(before.$heat?.degrees == 36.5)
    #expect(before.$count == 3)
    #expect(before.$text == nil)
    #expect(before.$maybe == 4)
    #expect(before.$petName == nil)
    let shorter = before.omitting(\.$count, \.$job)
    #expect(shorter.$count == nil && shorter.$job == nil && shorter.$maybe == 4)
    #expect(shorter != before)
    object.heat = Celsius(36.5)
    #expect(before == object.values)
  }

  @Test func missingKeysLeaveDefaultsAndOtherKeysAreIgnored() throws {
    let values = try record(of: Everything.self, #"{"text":"a","maybe":null,"other":[1]}"#)
    let object = try Everything(values)
    #expect(object.text == "a" && object.count == 3 && object.maybe == nil)
    #expect(object.values.$id == object.id)
  }

  @Test(arguments: [
    #"{"count":"a"}"#, #"{"count":null}"#, #"{"rank":7}"#, #"{"id":"x"}"#, #"{"heat":"x"}"#, "[]",
  ])
  func wrongJSONIsRefused(_ text: String) {
    #expect(throws: DecodingError.self) { try record(of: Everything.self, text) }
  }

  @Test func relationshipsAreIdentifiers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let league = League()
    let (reds, blues, ann, bob) = (Team("Reds"), Team("Blues"), Player("Ann"), Player("Bob"))
    reds.captain = ann
    ann.team = reds
    league.teams = [reds, blues, reds]
    league.stars = [bob, ann]
    league.byShirt = [9: ann]
    #expect(throws: EncodingError.self) { try json(league.values) }
    try await magic.update(league)
    #expect(
      try json(reds.values)
        == #"{"captain":\#(ann.id),"key":"reds","name":"Reds"}"#)
    #expect(try json(blues.values) == #"{"captain":null,"key":"blues","name":"Blues"}"#)
    let ids = [ann.id, bob.id].map(\.description).sorted().joined(separator: ",")
    #expect(
      try json(league.values) == """
        {"byShirt":{"9":\(ann.id)},"number":1,"stars":[\(ids)],"teams":["reds","blues","reds"]}
        """)
    let values = league.values
    #expect(values.$teams == [reds.id, blues.id, reds.id])
    #expect(values.$stars?.count == 2)
    #expect(values.$byShirt == [9: ann.id])
    #expect(reds.values.$captain == ann.id)
    #expect(blues.values.$captain == nil)
    #expect(try record(of: League.self, json(values)) == values)
    let fetched = try await magic.object(of: League.self)[0]
    #expect(fetched.values == values)
  }

  @Test func aDatabaseFetchesTheObjectsOfRelationships() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (reds, ann, bob) = (Team("Reds"), Player("Ann"), Player("Bob"))
    try await magic.update(contentsOf: [ann, bob])
    try await magic.update(reds)
    let values = try record(
      of: League.self,
      #"{"teams":["reds","reds"],"stars":[\#(bob.id),\#(ann.id)],"byShirt":{"1":\#(bob.id)}}"#)
    let league = League()
    #expect { try league.apply(values) } throws: { ($0 as? MagicError)?.code == .notFound }
    #expect(league.teams.isEmpty)
    try await magic.apply(values, to: league)
    #expect(league.teams == [reds, reds])
    #expect(league.teams[0].values == league.teams[1].values)
    #expect(league.stars.contains(ann) && league.stars.contains(bob))
    #expect(league.byShirt[1] == bob)
    try await magic.update(league)
    try league.apply(values)
    #expect(try await magic.object(of: League.self)[0].values == league.values)
    let unknown = try record(of: League.self, #"{"number":5,"teams":["reds","x"]}"#)
    let other = League()
    await #expect { try await magic.apply(unknown, to: other) } throws: {
      ($0 as? MagicError)?.code == .notFound
    }
    #expect(other.number == 0 && other.teams.isEmpty)
  }

  @Test func aToOneIsSetAndSetToNil() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (reds, ann) = (Team("Reds"), Player("Ann"))
    try await magic.update(ann)
    try await magic.update(reds)
    try await magic.apply(record(of: Team.self, #"{"captain":\#(ann.id)}"#), to: reds)
    #expect(reds.captain == ann)
    try reds.apply(reds.values)
    try reds.apply(record(of: Team.self, #"{"captain":null}"#))
    #expect(reds.captain == nil)
    #expect(reds.name == "Reds")
  }

  @Test func thePrimaryOfASavedObjectIsNotReplaced() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let reds = Team("Reds")
    try await magic.update(reds)
    try reds.apply(record(of: Team.self, #"{"key":"reds","name":"R"}"#))
    #expect(reds.name == "R")
    let other = try record(of: Team.self, #"{"key":"blues","name":"B"}"#)
    #expect { try reds.apply(other) } throws: { ($0 as? MagicError)?.code == .constraint }
    #expect(reds.key == "reds" && reds.name == "R")
    try reds.apply(other.omitting(\.$key))
    #expect(reds.name == "B")
    #expect(try Team(other).key == "blues")
  }

  @Test func applyingEqualValuesChangesNothing() async throws {
    let recorder = Recorder<String>()
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger(), logsValues: false))
    let object = Marked()
    try await magic.update(object)
    try object.apply(object.values)
    recorder.clear()
    try await magic.update(object)
    recorder.expectWrote(0)
  }

  @Test func aClassHasARecord() throws {
    let page = Page()
    page.text = "a"
    #expect(try Page(page.values).text == "a")
    #expect("\(page.values)" == #"Page(text: "a")"#)
  }

  @Test func anUnassignedNumberIsNotARecordsValue() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let numbered = Numbered()
    #expect(try json(numbered.values) == #"{"text":""}"#)
    try await magic.update(numbered)
    #expect(try json(numbered.values) == #"{"id":1,"text":""}"#)
  }
}
