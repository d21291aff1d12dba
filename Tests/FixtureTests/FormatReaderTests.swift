import Foundation
import MagicDataTesting
import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// A program that was written from `Format.md` alone reads the values that the library reads.
@Suite(.enabled(if: FormatReader.hasPython, "The reader needs python3 on the PATH."))
struct FormatReaderTests {
  @Test(arguments: Fixture.allCases) func theReaderReadsAllValues(_ fixture: Fixture) throws {
    let copy = try fixture.copy()
    let lines = try FormatReader.lines(of: copy.file)
    try copy.using { store throws in
      try expect(lines, of: fixture, in: store) { _ in fixture.format >= 3 }
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.earlier.filter { $0.format < 3 })
  func onlyTypesThatWereWrittenAreDescribed(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      _ = try store.migrate(Stamp.self)
      try store.update(Person(number: 100))
    }
    let lines = try FormatReader.lines(of: copy.file)
    try copy.using { store throws in
      try expect(lines, of: fixture, in: store) { $0 == Person.self }
    }
  }

  /// An inverse relationship has an owner once, even if its list contains the member twice.
  @Test func inverseRelationshipsAndKeysOfAllKindsAreRead() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("kinds.sqlite3")
      let store = try MagicObjectStore.open(.file(file.path))
      defer { store.close() }
      let leaflets = [
        Leaflet(.light, Sample.date(1)), Leaflet(.heavy, Sample.date(2)),
        Leaflet(.heavy, Date(timeIntervalSinceReferenceDate: -31_622_400.5)),
      ]
      leaflets[0].read = Date(timeIntervalSinceReferenceDate: 240_000_000_000.25)
      leaflets[0].pause = .milliseconds(-70)
      leaflets[1].pause = Duration(secondsComponent: 0, attosecondsComponent: 1)
      leaflets[1].job = Job(title: "\n\u{2028}/", salary: 0.1, days: [.min, .max])
      let racks = [Rack(), Rack(), Rack()]
      racks[0].list = [leaflets[1], leaflets[0], leaflets[1]]
      racks[1].list = [leaflets[1]]
      racks[2].first = leaflets[2]
      for rack in racks.dropLast() { rack.fill(leaflets[2]) }
      try store.update(contentsOf: racks)
      let expected =
        try Leaflet.lines(store, isDescribed: true) + Rack.lines(store, isDescribed: true)
      let differences = Set(try FormatReader.lines(of: file)).symmetricDifference(expected)
      #expect(differences.isEmpty, "\(differences)")
    }
  }

  @Test func anInverseRelationshipWithoutOwnersIsEmpty() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("kinds.sqlite3")
      let store = try MagicObjectStore.open(.file(file.path))
      defer { store.close() }
      try store.update(Leaflet(.light, Sample.date(1)))
      let expected = try Leaflet.lines(store, isDescribed: true)
      #expect(Set(try FormatReader.lines(of: file)) == Set(expected))
    }
  }

  @Test(arguments: [Fixture.today]) func theRowsOfASharedDatabaseAreRead(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { try $0.prepareForSharing() }
    let lines = try FormatReader.lines(of: copy.file)
    #expect(lines.allSatisfy { $0.row > 1 << 32 })
    try copy.using { store throws in
      try expect(lines, of: fixture, in: store) { _ in true }
    }
  }

  private struct Sticker: MagicObject {
    @PrimaryMagicValue var id: MagicUUID
    @OptionMagicValue var previous: MagicUUID?
    @MagicValue var neighbours: [MagicUUID: Sticker] = [:]
  }

  @Test func uuidsOfBytesAreRead() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("uuids.sqlite3")
      let store = try MagicObjectStore.open(.file(file.path))
      defer { store.close() }
      let sticker = Sticker()
      sticker.neighbours = [MagicUUID(Sample.uuid(4)): sticker]
      try store.update(sticker)
      let lines = try FormatReader.lines(of: file)
      let values = Dictionary(uniqueKeysWithValues: lines.map { ($0.property, $0) })
      #expect(values["id"]?.form == "uuid-bytes")
      #expect(values["id"]?.value == .exact(sticker.id.description))
      #expect(values["previous"]?.value == .null)
      let members = String(describing: try #require(values["neighbours"]).value)
      #expect(members.contains(Sample.uuid(4).uuidString))
    }
  }

  private struct Line: MagicObject {
    @MagicValue var article = ""
  }

  private struct Order: MagicObject {
    @MagicValue(.owned, .named("order.lines")) var lines: [Line] = []
  }

  @Test func theMembersOfAnOwnedListAreReadInTheirOrder() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("owned.sqlite3")
      let store = try MagicObjectStore.open(.file(file.path))
      defer { store.close() }
      let order = Order()
      order.lines = ["a", "b", "c"].map { article in
        let line = Line()
        line.article = article
        return line
      }
      try store.update(order)
      order.lines.swapAt(0, 2)
      try store.update(order)
      let lines = try FormatReader.lines(of: file)
      let list = try #require(lines.first { $0.table == "Order" })
      let members = order.lines.compactMap { $0.zIndex?.rawValue }
      #expect(members.count == 3)
      let expected = members.map { "{\"table\": \"Line\", \"row\": \($0)}" }
      #expect(
        try list.value
          == JSONDecoder().decode(
            JSON.self, from: Data("[\(expected.joined(separator: ", "))]".utf8)))
      #expect(Set(lines.map(\.table)) == ["Order", "Line"])
      #expect(lines.filter { $0.table == "Line" }.count == 3)
    }
  }

  @Test(arguments: [Fixture.values, .today]) func commitsThatOnlyTheLogHasAreRead(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      try store.update(Stamp(number: 50))
      let lines = try FormatReader.lines(of: copy.file)
      try expect(lines, of: fixture, in: store) { _ in fixture.format >= 3 }
      try store.update(Stamp(number: 51))
    }
  }

  @Test(arguments: [Fixture.values, .today]) func theReaderChangesNothing(_ fixture: Fixture) throws
  {
    let copy = try fixture.copy()
    let before = try copy.bytes
    let first = try FormatReader.run(copy.file)
    let second = try FormatReader.run(copy.file)
    #expect(first.status == 0)
    #expect(first.lines == second.lines)
    #expect(try copy.bytes == before)
  }

  /// SQLite creates the files for the reader, which cannot remove them.
  @Test func theLibraryRemovesTheFilesThatTheReaderLeaves() throws {
    let copy = try Fixture.today.copy()
    _ = try FormatReader.run(copy.file)
    try copy.open(options: MagicOptions()).close()
    for suffix in ["-wal", "-shm", "-commits"] {
      #expect(!FileManager.default.fileExists(atPath: copy.file.path + suffix))
    }
  }

  @Test(arguments: [
    (nil, "no such file"), ("", "no table magic_format"), ("not a database", "not a database"),
  ]) func wrongInputIsRefusedWithAMessage(_ content: String?, _ message: String) throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("wrong.sqlite3")
      try content.map { try Data($0.utf8).write(to: file) }
      try expectRefusal(of: file, message)
    }
  }

  @Test func aValueOfAnotherStorageClassIsRefusedWithAMessage() throws {
    let copy = try Fixture.today.copy()
    try copy.using { store throws in
      try store.sql("UPDATE Person SET born = 'x' WHERE z_index = 3").run()
    }
    try expectRefusal(of: copy.file, "Person.born of row 3")
  }

  private func expectRefusal(of file: URL, _ message: String) throws {
    let output = try FormatReader.run(file)
    #expect(output.status == 1)
    #expect(output.errors.contains(message), "\(output.errors)")
    #expect(!output.errors.contains("Traceback"))
  }

  /// - Parameter isDescribed: whether the file describes the properties of a type.
  private func expect(
    _ lines: [ReaderLine], of fixture: Fixture, in store: MagicObjectStore,
    isDescribed: (any ReadByFormat.Type) -> Bool
  ) throws {
    let expected = try fixture.typesWithObjects.flatMap {
      try $0.lines(store, isDescribed: isDescribed($0))
    }
    let differences = comparable(lines, of: fixture)
      .symmetricDifference(comparable(expected, of: fixture))
      .sorted { ($0.table, $0.row, $0.property) < ($1.table, $1.row, $1.property) }
    #expect(differences.isEmpty, "\(differences.prefix(4))")
    #expect(lines.count == expected.count)
    let keys = lines.map { "\($0.table) \($0.row) \($0.property)" }
    #expect(Set(keys).count == keys.count)
  }

  /// The first versions stored sets of values in no defined order.
  private func comparable(_ lines: [ReaderLine], of fixture: Fixture) -> Set<ReaderLine> {
    let isOrdered = Fixture.withQueries.contains(fixture)
    return Set(lines.map { isOrdered || $0.property != "tags" ? $0 : $0.unordered })
  }
}
