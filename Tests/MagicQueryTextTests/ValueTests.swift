import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import Testing

/// Constants of texts have the stored forms of the properties that they are compared with.
@Suite(.everyEngine) struct ValueTests {
  let world: SongWorld

  init() throws { world = try SongWorld() }

  @Test func numbers() throws {
    try world.expect(.init(text: "level == 5"), "a")
    try world.expect(.init(text: "level < 300"), "abg")
    try world.expect(.init(text: "plays < 99999999999999999999"), "abg")
    try world.expect(.init(text: "level == $0", Int8(5)), "a")
    try world.expect(.init(text: "level == $0", UInt64(5)), "a")
    try world.expect(.init(text: "plays == %d", 10), "a")
    try world.expect(.init(text: "plays == %ld", Int64(10)), "a")
    try world.expect(.init(text: "rating == %f", 4.5), "a")
    try world.expect(.init(text: "rating > %@", 1), "ag")
    // The property is a `Float`, whose 0.1 is not the 0.1 of `Double`.
    try world.expect(.init(text: "weight == 0.1"), "a")
    try world.expect(.init(text: "weight == $0", Float(0.1)), "a")
    try world.expect(.init(text: "heat > 20"), "a")
    try world.expect(
      .init(text: "rating < $0", Double.infinity), "abg", isPrintable: false, isCodable: false)
    try world.expect(.init(text: "heat == $0", Celsius(storedValue: 21.5)), "a")
  }

  @Test func booleans() throws {
    try world.expect(.init(text: "isLive"), "a", as: "isLive")
    try world.expect(.init(text: "isLive == YES"), "a", as: "isLive == TRUE")
    try world.expect(.init(text: "isLive == false"), "bg", as: "isLive == FALSE")
    try world.expect(.init(text: "isLive == 1"), "a")
    try world.expect(.init(text: "isLive == $0 AND NOT isLive == FALSE", true), "a")
  }

  @Test func amountsOfMoney() throws {
    try world.expect(.init(text: "price == 19.90"), "a", as: "price == 19.90")
    try world.expect(.init(text: "price >= 5"), "ab")
    try world.expect(.init(text: "price == $0", Cents(units: 500)), "b")
    try world.expect(.init(text: "price == $0", Decimal(5)), "b")
    try world.expect(.init(text: "price + 1.10 == 21"), "a", as: "price + 1.10 == 21.00")
    try world.expect(.init(text: "price * 2 == 10.00"), "b", as: "price * 2 == 10.00")
    try world.expect(.init(text: "price IN {5, 19.9}"), "ab")
    expectRefused("price == 1.999", at: 9, "MagicMoney", property: "price")
  }

  @Test func decimals() throws {
    try world.expect(.init(text: "cost == 2.5"), "a")
    try world.expect(.init(text: "cost == $0", Decimal(2.5)), "a")
    expectRefused("cost > 2.5", at: 5, "no order", property: "cost")
  }

  @Test func datesAreArguments() throws {
    try world.expect(
      .init(text: "released == %@", SongWorld.day), "a",
      as: "released == CAST(86400.5, \"NSDate\")")
    try world.expect(.init(text: "released < $0", SongWorld.day + 1), "a")
    try world.expect(.init(text: "released == nil"), "bg", as: "released == nil")
    try world.expect(.init(text: "released != nil"), "a")
    try world.expect(.init(text: "writer.founded == $d", named: ["d": SongWorld.day]), "a")
    expectRefused("released > 3", at: 11, "Pass a date as an argument", property: "released")
    expectRefused("released > '2026-01-01'", at: 11, "Pass a date", property: "released")
  }

  @Test func textForms() throws {
    try world.expect(.init(text: "token == '\(SongWorld.token.lowercased())'"), "a")
    try world.expect(.init(text: "token == $0", try UUID(storedValue: SongWorld.token)), "a")
    try world.expect(
      .init(text: "key == '\(SongWorld.token.lowercased())'"), "a",
      as: "key == \"\(SongWorld.token)\"")
    try world.expect(.init(text: "key == $0", MagicUUID(SongWorld.token)), "a")
    try world.expect(.init(text: "key == $0", UUID(uuidString: SongWorld.token)), "a")
    expectRefused("key == 'x'", at: 7, "MagicUUID", property: "key")
    try world.expect(.init(text: "link == 'https://example.com/a'"), "a")
    try world.expect(.init(text: "initial == 'a'"), "a")
    try world.expect(.init(text: "initial == $0", Character("a")), "a")
    try world.expect(.init(text: "length == %@", Duration.seconds(90)), "a")
    try world.expect(.init(text: "title == nil OR subtitle == $0", nil), "ag")
    expectRefused("token == 'x'", at: 9, "UUID", property: "token")
    expectRefused("initial == 'ab'", at: 11, "Character", property: "initial")
  }

  @Test func enumerationsAreComparedByRawValues() throws {
    try world.expect(.init(text: "genre == 'pop'"), "a", as: "genre == \"pop\"")
    try world.expect(.init(text: "genre == $0", Genre.folk), "g")
    try world.expect(.init(text: "genre IN %@", [Genre.folk, .pop]), "ag")
    try world.expect(.init(text: "mood == 1"), "a")
    try world.expect(.init(text: "mood == $0", Mood.calm), "bg")
    expectRefused("genre == 'jazz'", at: 9, "Genre", property: "genre")
    expectRefused("genre BEGINSWITH 'p'", at: 6, "needs a text", property: "genre")
    expectRefused("mood == 9", at: 8, "Mood", property: "mood")
    expectRefused("genre == $0", Mood.calm, at: 9, "Genre", property: "genre")
  }

  @Test func bytesAndDocuments() throws {
    try world.expect(.init(text: "data == $0", Data([1, 2])), "a", isPrintable: false)
    try world.expect(.init(text: "tags == $0", ["new"]), "a", isPrintable: false)
    #expect(try MagicPredicate<Song>(text: "data == $0", Data()).description == "data == <data>")
  }

  @Test func rowIDs() throws {
    let id = try world.song("a").zIndex
    try world.expect(.init(text: "zIndex == $0", id), "a")
    try world.expect(.init(text: "zIndex == %@ OR plays == 3", id), "ab")
  }

  @Test func nilIsComparedAsInSwift() throws {
    try world.expect(.init(text: "subtitle != 'x'"), "abg")
    try world.expect(.init(text: "subtitle == nil"), "ag", as: "subtitle == nil")
    try world.expect(.init(text: "subtitle < 'x'"), "b")
    try world.expect(.init(text: "NOT subtitle < 'x'"), "ag")
    expectRefused("subtitle < nil", at: 9, "nil has no order", property: "subtitle")
  }
}
