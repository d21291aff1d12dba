import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A value of each kind that a record of CloudKit has.
private struct Cloudy: MagicObject {
  @PrimaryMagicValue var id: MagicUUID
  @MagicValue var text: String = "a"
  @MagicValue var count: Int = 3
  @MagicValue var isOn: Bool = true
  @MagicValue var real: Double = 0.1
  @MagicValue var date: Date = Date(timeIntervalSinceReferenceDate: 1.25)
  @MagicValue var data: Data = Data([0, 255])
  @MagicValue var uuid: UUID = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!
  @MagicValue var other: MagicUUID = MagicUUID("00000000-0000-0000-0000-00000000000b")!
  @MagicValue var url: URL = URL(string: "https://example.org/a")!
  @MagicValue var decimal: Decimal = Decimal(string: "1.25")!
  @MagicValue var duration: Duration = .milliseconds(1_500)
  @MagicValue var rank: Rank = .high
  @MagicValue var heat: Celsius = Celsius(36.5)
  @MagicValue var job: Job = Job(title: "a", since: Date(timeIntervalSinceReferenceDate: 2))
  @MagicValue var list: [String] = ["x", "y"]
  @OptionMagicValue var nickname: String?
  @OptionMagicValue var maybe: Int? = 4
  @MagicVersion var version: Int

  init() {}
}

private struct Album: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var cover: MagicAsset<Data>
  @OptionMagicValue var notes: MagicAsset<String>?
  @OptionMagicValue var main: Album?
  @MagicValue var parts: [Album] = []
  @MagicValue var friends: MagicalSet<Album> = []
  @MagicValue var rooms: [String: Album] = [:]
  @MagicValue var shelves: [Int: Album] = [:]

  init() { cover = .init() }
  init(_ name: String) {
    cover = .init()
    self.name = name
  }
}

private struct Strict: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var title: String
  @MagicValue var owner: Team
  init() {}
}

private struct Reserved: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var recordType: String = ""
  init() {}
}

private struct NamedLikeKeys: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var rooms: [String: Album] = [:]
  @MagicValue var rooms_keys: String = ""
  init() {}
}

private struct NamedLikeExtension: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var photo: MagicAsset<Data> = .init()
  @MagicValue var photo_extension: String = ""
  init() {}
}

private struct Überschrift: MagicObject {
  @PrimaryMagicValue var id: String
  init() {}
}

@Suite(.everyEngine) struct CloudTests {
  let scratch = Scratch()

  @Test func everyValueIsAFieldAndIsReadAgain() throws {
    let object = Cloudy()
    object.id = try #require(MagicUUID("00000000-0000-0000-0000-0000000000FF"))
    let record = try object.cloudRecord()
    #expect(record.recordType == "Cloudy")
    #expect(record.recordName == "Cloudy:00000000-0000-0000-0000-0000000000FF")
    let job = try #require(record.fields["job"])
    let duration = try object.duration.storedValue
    guard case .data(let json) = job else { return #expect(Bool(false), "\(job)") }
    #expect(try JSONDecoder().decode(Job.self, from: json) == object.job)
    #expect(
      record.fields == [
        "text": .text("a"), "count": .integer(3), "isOn": .integer(1), "real": .real(0.1),
        "date": .date(Date(timeIntervalSinceReferenceDate: 1.25)), "data": .data(Data([0, 255])),
        "uuid": .text("00000000-0000-0000-0000-00000000000A"),
        "other": .text("00000000-0000-0000-0000-00000000000B"),
        "url": .text("https://example.org/a"), "decimal": .text("1.25"),
        "duration": .text(duration), "rank": .integer(1), "heat": .real(36.5),
        "job": job, "list": .data(Data(#"["x","y"]"#.utf8)), "nickname": .null,
        "maybe": .integer(4),
      ])
    for record in [record, kept(record)] {
      let copy = try Cloudy(cloudRecord: record)
      #expect(copy.values == object.values)
      #expect(try copy.cloudRecord() == object.cloudRecord())
    }
    // A number of CloudKit does not say whether it was an integer.
    var numbers = record
    numbers.fields["real"] = .integer(2)
    numbers.fields["count"] = .real(5)
    let copy = try Cloudy(cloudRecord: numbers)
    #expect(copy.real == 2 && copy.count == 5)
  }

  @Test(arguments: [
    ("count", MagicCloudValue.text("3")), ("count", .real(0.5)), ("count", .real(1e300)),
    ("text", .integer(1)), ("date", .real(1)), ("real", .date(Date())), ("data", .text("")),
    ("other", .text("x")), ("other", .data(Data(count: 16))), ("uuid", .text("x")),
    ("rank", .integer(7)), ("job", .data(Data("{".utf8))), ("list", .list([.text("x")])),
    ("maybe", .reference("Cloudy:1")), ("text", .file(URL(fileURLWithPath: "/a"))),
  ])
  func wrongFieldsAreRefused(_ name: String, _ value: MagicCloudValue) throws {
    var record = try Cloudy().cloudRecord()
    record.fields[name] = value
    do {
      _ = try Cloudy(cloudRecord: record)
      #expect(Bool(false), "No error.")
    } catch MagicCloudError.invalidField("Cloudy", name, let reason) {
      #expect(reason.hasSuffix("."))
    }
  }

  @Test func recordsOfOtherTypesAreRefused() throws {
    var record = try Cloudy().cloudRecord()
    #expect(throws: MagicCloudError.recordTypeMismatch(expected: "Team", found: "Cloudy")) {
      try MagicRecord<Team>(cloudRecord: record)
    }
    record.recordType = "Team"
    #expect(throws: MagicCloudError.recordTypeMismatch(expected: "Team", found: "Cloudy")) {
      try Team(cloudRecord: record)
    }
    record.recordName = "no colon"
    #expect {
      try Team(cloudRecord: record)
    } throws: {
      guard case MagicCloudError.invalidName("Team", _) = $0 else { return false }
      return true
    }
  }

  @Test func aMissingFieldIsNamedUnlessThePropertyHasAValue() throws {
    var record = MagicCloudRecord(recordType: "Strict", recordName: "Strict:7")
    #expect(throws: MagicCloudError.missingField(type: "Strict", property: "title")) {
      try Strict(cloudRecord: record)
    }
    record.fields["title"] = .text("a")
    #expect(throws: MagicCloudError.missingField(type: "Strict", property: "owner")) {
      try Strict(cloudRecord: record)
    }
    let cloudy = try Cloudy(
      cloudRecord: MagicCloudRecord(
        recordType: "Cloudy", recordName: Cloudy().cloudRecord().recordName))
    // The values of `init()`, except what may be nil.
    #expect(cloudy.count == 3 && cloudy.maybe == nil)
  }

  @Test(arguments: [
    ("plain", "Team:plain"), ("Zoë & co/%", "Team:Zo%C3%AB%20%26%20co%2F%25"),
    ("a:b", "Team:a%3Ab"),
    ("", "Team:"),
  ])
  func recordNamesContainAnyPrimary(_ key: String, _ name: String) throws {
    let team = Team("x")
    team.key = key
    #expect(try team.magicID.cloudRecordName == name)
    #expect(try MagicID<Team>(cloudRecordName: name) == team.magicID)
    #expect(try Team(cloudRecord: try team.cloudRecord()).key == key)
  }

  @Test(arguments: ["Team:%", "Team:%4", "Team:%-1", "Team:%FF", "Team:%zz", "", "Team", "team:a"])
  func namesThatContainNoPrimaryAreRefused(_ name: String) {
    #expect(throws: MagicCloudError.self) { try MagicID<Team>(cloudRecordName: name) }
  }

  @Test func objectsWithoutALastingNameAreRefused() throws {
    #expect(throws: MagicCloudError.self) { try Player("a").cloudRecord() }
    #expect(throws: MagicCloudError.self) { try Numbered().cloudRecord() }
    #expect(throws: MagicCloudError.self) { try MagicID<Numbered>(cloudRecordName: "Numbered:a") }
    #expect(throws: MagicCloudError.self) { try Reserved().cloudRecord() }
    #expect(throws: MagicCloudError.self) { try Überschrift().cloudRecord() }
    let (keys, pathExtension) = (NamedLikeKeys(), NamedLikeExtension())
    (keys.id, pathExtension.id) = ("a", "a")
    for refused in [{ try keys.cloudRecord() }, { try pathExtension.cloudRecord() }] {
      #expect {
        try refused()
      } throws: {
        guard case MagicCloudError.invalidName(_, let reason) = $0 else { return false }
        return reason.contains("is a property too")
      }
    }
    let long = Team("a")
    long.key = String(repeating: "a", count: 251)
    #expect(throws: MagicCloudError.self) { try long.cloudRecord() }
    long.key.removeLast()
    #expect(try long.cloudRecord().recordName.count == 255)
    #expect(throws: MagicCloudError.self) { try Cloudy().values.omitting(\.$id).cloudRecord() }
    #expect(try Cloudy().values.omitting(\.$job).cloudRecord().fields["job"] == nil)
  }

  @Test(arguments: [
    ("main", MagicCloudValue.reference("Team:a")), ("main", .text("Album:a")),
    ("parts", .list([.text("a")])), ("parts", .reference("Album:a")), ("cover", .text("a")),
    ("rooms", .list([.reference("Album:a")])), ("rooms_keys", .list([.text("1")])),
    ("rooms_keys", .text("a")), ("rooms_keys", .list([.integer(1)])),
  ])
  func wrongReferencesAreRefused(_ name: String, _ value: MagicCloudValue) throws {
    var record = MagicCloudRecord(recordType: "Album", recordName: "Album:All")
    record.fields[name] = value
    #expect(throws: MagicCloudError.self) { try Album(cloudRecord: record) }
  }

  @Test func theVersionOfARecordIsNotCompared() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let object = Cloudy()
    try await magic.update(object)
    let record = try object.cloudRecord()
    object.count = 9
    try await magic.update(object)
    try await magic.apply(cloudRecord: record, to: object)
    try await magic.update(object)
    #expect(try await magic.object(with: object.magicID).count == 3)
  }
}

/// Databases in memory have no assets.
@Suite struct CloudFileTests {
  let scratch = Scratch()

  @Test func relationshipsAreReferencesAndAssetsAreFiles() async throws {
    let magic = try await MagicData(path: scratch.file())
    let album = Album("All")
    let (one, two) = (Album("One"), Album("Two"))
    album.cover = MagicAsset(value: Data([1, 2, 3]), pathExtension: "png")
    #expect(throws: MagicCloudError.self) { try album.cloudRecord() }
    album.notes = MagicAsset(value: "notes")
    album.main = one
    album.parts = [one, two, one]
    album.friends = [two, one]
    album.rooms = ["east \"wing\"": two, "a": one]
    album.shelves = [10: two, 9: one]
    try await magic.update(album)
    let record = try album.cloudRecord()
    #expect(record.recordName == "Album:All")
    #expect(record.fields["main"] == .reference("Album:One"))
    let (first, second) =
      (MagicCloudValue.reference("Album:One"), .reference("Album:Two"))
      as (MagicCloudValue, MagicCloudValue)
    #expect(record.fields["parts"] == .list([first, second, first]))
    #expect(record.fields["friends"] == .list([first, second]))
    #expect(record.fields["rooms"] == .list([first, second]))
    #expect(
      record.fields["rooms_keys"] == .list([.text(#""a""#), .text(#""east \"wing\"""#)]))
    #expect(record.fields["shelves_keys"] == .list([.text("10"), .text("9")]))
    #expect(record.fields["shelves"] == .list([second, first]))
    guard case .file(let cover) = record.fields["cover"] else {
      return #expect(Bool(false), "\(record.fields)")
    }
    #expect(try Data(contentsOf: cover) == Data([1, 2, 3]))
    #expect(record.fields["cover_extension"] == .text("png"))
    #expect(record.fields["notes_extension"] == .null)

    // Another device has the other albums.
    let device = try await MagicData(path: scratch.file("device"))
    let copy = Album()
    await #expect(throws: MagicError.self) {
      try await device.apply(cloudRecord: kept(record), to: copy)
    }
    #expect(copy.parts.isEmpty && !copy.cover.hasValue)
    #expect(throws: MagicError.self) { try Album(cloudRecord: record) }
    try await device.update(contentsOf: [
      try Album(cloudRecord: one.cloudRecord()), try Album(cloudRecord: two.cloudRecord()),
    ])
    try await device.apply(cloudRecord: kept(record), to: copy)
    try await device.update(copy)
    let fetched = try await device.object(with: MagicID<Album>(cloudRecordName: record.recordName))
    #expect(fetched.values == album.values)
    #expect(try fetched.cover.load() == Data([1, 2, 3]))
    #expect(fetched.cover.pathExtension == "png")
    #expect(try fetched.notes?.load() == "notes")
    #expect(fetched.notes?.pathExtension == nil)

    // The same record without its optional fields.
    var less = MagicCloudRecord(recordType: "Album", recordName: "Album:All")
    try await device.apply(cloudRecord: less, to: fetched)
    #expect(fetched.main == nil && fetched.parts.isEmpty && fetched.rooms.isEmpty)
    #expect(!fetched.cover.hasValue && fetched.notes == nil)
    less.recordName = "Album:Other"
    await #expect(throws: MagicError.self) {
      try await device.apply(cloudRecord: less, to: fetched)
    }
  }
}

/// What CloudKit returns for a record: neither null nor empty lists.
private func kept(_ record: MagicCloudRecord) -> MagicCloudRecord {
  var record = record
  record.fields = record.fields.filter { $0.value != .null && $0.value != .list([]) }
  return record
}
