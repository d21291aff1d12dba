import Foundation
import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport
import Testing

private struct Reading: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue(.indexed) var level: Int = 0
  @MagicValue var value: Double = 0
  @MagicValue var isValid: Bool = true
  @MagicValue var key: UUID = UUID()
  @OptionMagicValue(.indexed) var place: String?

  init() {}
  init(_ name: String, level: Int = 0, value: Double = 0, place: String? = nil) {
    self.name = name
    self.level = level
    self.value = value
    self.place = place
  }
}

/// Queries where PostgreSQL differs from the other engines.
@Suite(.requiresPostgreSQL) struct QueryTests {
  private let store: MagicObjectStore

  init() throws {
    store = try TestSchema().open()
  }

  private var readings: MagicQuery<Reading, MagicObjectStore> { store.query(Reading.self) }

  @Test func realNumbersBecomeInfiniteOrNil() throws {
    try store.update(contentsOf: [Reading("large", value: 1e308), Reading("small", value: 1e-300)])
    let large = readings.where(\.$name == "large")
    let small = readings.where(\.$name == "small")
    #expect(try large.select { $0.$value * 10 }.all() == [.infinity])
    #expect(try large.select { $0.$value * -10 }.all() == [-.infinity])
    #expect(try large.select { $0.$value + $0.$value }.all() == [.infinity])
    #expect(try small.select { $0.$value * $0.$value }.all() == [0])
    #expect(try large.where { $0.$value * 10 == .infinity }.count() == 1)
    // No number is a number that is NaN.
    #expect(try large.where { $0.$value * 10 - $0.$value * 10 == 0 }.count() == 0)
    #expect(try large.where { $0.$value / 0 == 0 }.count() == 0)
    #expect(throws: MagicError.self) { try large.select { $0.$value / 0 }.all() }
  }

  @Test func aQueryThatFailsLeavesTheTransactionOpen() throws {
    try store.update(Reading("a", level: .max))
    try store.transaction { transaction in
      #expect(throws: MagicError.self) {
        try transaction.query(Reading.self).select { $0.$level + 1 }.all()
      }
      try transaction.update(Reading("b"))
    }
    #expect(try readings.count() == 2)
  }

  @Test func truthValuesAndUUIDsHaveTheirOwnTypes() throws {
    let object = Reading("a")
    object.isValid = false
    try store.update(contentsOf: [object, Reading("b")])
    #expect(try readings.where(\.$isValid == false).select(\.$name).all() == ["a"])
    #expect(try readings.where { $0.$isValid && $0.$level == 0 }.count() == 1)
    #expect(try readings.where(\.$key == object.key).count() == 1)
    #expect(try readings.where { $0.$key.in([object.key]) }.count() == 1)
    #expect(try readings.order(by: \.$isValid).select(\.$isValid).all() == [false, true])
    let keys = try readings.select(\.$key).all().sorted { $0.uuidString < $1.uuidString }
    #expect(try readings.order(by: \.$key).select(\.$key).all() == keys)
  }

  @Test(arguments: [
    "plain", "", "a\r\nb", "e\u{301}te\u{301}", "🇩🇪🇫🇷!", "👩‍👩‍👧‍👦👍🏽", "한국어", "नमस्ते", "a\0b\u{1}c", "ßΣΑΣ İ",
    "\u{A0}\u{2003}x\u{3000}",
  ])
  func textsAreComputedAsByString(_ text: String) throws {
    try store.update(Reading(text))
    #expect(try readings.select { $0.$name.count }.first() == text.count)
    #expect(try readings.select { $0.$name.prefix(2) }.first() == String(text.prefix(2)))
    #expect(try readings.select { $0.$name.lowercased() }.first() == text.lowercased())
    #expect(try readings.select { $0.$name.uppercased() }.first() == text.uppercased())
    #expect(
      try readings.select { $0.$name.trimmed() }.first()
        == text.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(try readings.where { $0.$name.hasPrefix(String(text.prefix(1))) }.count() == 1)
    #expect(try readings.where { $0.$name.hasSuffix(String(text.suffix(1))) }.count() == 1)
    #expect(try readings.where { $0.$name.contains(text) }.count() == 1)
  }

  @Test func textsAreOrderedByTheirBytes() throws {
    let names = ["b", "B", "a", "ä", "Z", "é", "_", "1", "\u{FFFD}", "😀"]
    try store.update(contentsOf: names.map { Reading($0) })
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try readings.order(by: \.$name).select(\.$name).all() == sorted)
    #expect(try readings.order { $0.$name + "!" }.select(\.$name).all() == sorted)
    #expect(try readings.max(\.$name) == "😀")
  }

  @Test func patternsIgnoreTheCaseOfAToZ() throws {
    try store.update(contentsOf: [Reading("Öl 100%"), Reading("öl 100x"), Reading("OL 100%")])
    #expect(try readings.where { $0.$name.like("%L 100\\%") }.count() == 2)
    #expect(try readings.where { $0.$name.like("öl%") }.count() == 1)
    #expect(try readings.where { $0.$name.like("öl\\") }.count() == 0)
  }

  @Test func valuesAreDistinctInTheOrderOfAnotherProperty() throws {
    try store.update(contentsOf: [
      Reading("a", level: 3), Reading("b", level: 2), Reading("a", level: 1),
      Reading("c", level: 4),
    ])
    #expect(try readings.order(by: \.$level).select(\.$name).distinct().all() == ["a", "b", "c"])
    #expect(
      try readings.order(by: \.$level, .descending).select(\.$name).distinct().all()
        == ["c", "a", "b"])
    #expect(Set(try readings.order(.random).select(\.$name).distinct().all()) == ["a", "b", "c"])
  }

  @Test func nilIsOrderedFirst() throws {
    try store.update(contentsOf: [Reading("a", place: "x"), Reading("b")])
    #expect(try readings.order(by: \.$place).select(\.$name).all() == ["b", "a"])
    #expect(try readings.order(by: \.$place, .descending).select(\.$name).all() == ["a", "b"])
  }

  @Test func aPlanNamesTheIndex() throws {
    try store.update(contentsOf: (0..<20).map { Reading("a", level: $0, place: "\($0)") })
    let indexed = readings.where(\.$level == 3)
    #expect(try indexed.isIndexed)
    #expect(try indexed.explain().description.contains("using Reading(level)"))
    #expect(try indexed.explain().allSteps.allSatisfy { $0.index == "Reading(level)" })
    try store.update(City("a"))
    let byPrimary = try store.query(City.self).where(\.$name == "a").explain()
    #expect(byPrimary.steps.map(\.index) == ["City(name)"])
    #expect(try readings.where(\.$place == "3").isIndexed)
    #expect(try readings.where { $0.$place.hasPrefix("3") }.isIndexed)
    #expect(try !readings.where(\.$name == "a").isIndexed)
  }

  @Test func statementsAreKeptByShapeAndKindsOfValues() throws {
    try store.update(contentsOf: (0..<5).map { Reading("r\($0)", level: $0) })
    for level in 0..<5 {
      #expect(try readings.where(\.$level == level).select(\.$name).all() == ["r\(level)"])
    }
    #expect(try readings.where(\.$place == nil).count() == 5)
    #expect(try readings.where(\.$place == "x").count() == 0)
    // More shapes than a connection keeps.
    for count in 1...300 {
      let query = (0..<count % 30).reduce(readings.limit(count)) { query, level in
        query.where { $0.$level != level }
      }
      _ = try query.offset(count).count()
    }
    #expect(try readings.where { $0.$level.in([]) }.count() == 0)
    #expect(try readings.where { $0.$level.in(Array(0..<3_000)) }.count() == 5)
  }

  @Test func aConditionOnATypeWithoutATableFindsNothing() throws {
    struct Unsaved: MagicObject {
      @MagicValue var name: String = ""
      init() {}
    }
    #expect(try store.query(Unsaved.self).where(\.$name == "a").all().isEmpty)
    #expect(try store.query(Unsaved.self).count() == 0)
    try store.update(Reading("a"))
    #expect(try readings.where { _ in MagicQuery(Unsaved.self).exists() }.count() == 0)
  }
}
