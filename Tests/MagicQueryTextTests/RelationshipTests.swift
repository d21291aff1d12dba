import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import Testing

/// Paths through relationships, and members of collections.
@Suite(.everyEngine) struct RelationshipTests {
  let world: SongWorld

  init() throws { world = try SongWorld() }

  @Test func pathsPassThroughObjects() throws {
    try world.expect(.init(text: "writer.name == 'Abba'"), "a", as: "writer.name == \"Abba\"")
    try world.expect(.init(text: "writer.rival.name == 'Abba'"), "b")
    try world.expect(.init(text: "%K == %@", "writer.name", "Blur"), "b")
    try world.expect(.init(text: "%K.name == %@", "writer", "Blur"), "b")
    try world.expect(.init(text: "writer == nil"), "g")
    try world.expect(.init(text: "writer.name == nil"), "g")
    try world.expect(.init(text: "writer.zIndex == $0", world.abba.zIndex), "a")
  }

  @Test func objectsAreArguments() throws {
    func expect(_ predicate: MagicPredicate<Song>, _ letters: String) throws {
      try world.expect(predicate, letters, isPrintable: false, isCodable: false)
    }
    try expect(.init(text: "writer == $0", world.abba), "a")
    try expect(.init(text: "writer != $0", world.abba), "bg")
    try expect(.init(text: "writer IN %@", [world.abba, world.blur]), "ab")
    try expect(.init(text: "remixes CONTAINS $0", world.song("a")), "bg")
    try expect(.init(text: "$0 IN remixes", world.song("b")), "g")
    try expect(.init(text: "ANY remixes == $0", world.song("b")), "g")
    try expect(.init(text: "NONE remixes == $0", world.song("b")), "ab")
    try expect(.init(text: "bands CONTAINS $0", world.blur), "g")
    #expect(
      try MagicPredicate<Song>(text: "writer == $0", world.abba).description
        == "writer == <object>")
    expectRefused("writer == $0", try? world.song("a"), at: 10, "type Band", property: "writer")
    expectRefused("remixes CONTAINS 3", at: 17, "type Song", property: "remixes")
    expectRefused("writer == 3", at: 10, "type Band", property: "writer")
    expectRefused("writer < $0", world.abba, at: 7, "no order", property: "writer")
  }

  @Test func quantifiersSelectMembers() throws {
    try world.expect(.init(text: "ANY remixes.plays == 3"), "g", as: "ANY remixes.plays == 3")
    try world.expect(.init(text: "SOME remixes.plays > 3"), "bg")
    try world.expect(.init(text: "ALL remixes.plays > 3"), "ab")
    try world.expect(.init(text: "NONE remixes.plays == 3"), "ab", as: "NONE remixes.plays == 3")
    try world.expect(.init(text: "ANY remixes.title BEGINSWITH 'B'"), "g")
    try world.expect(.init(text: "ANY remixes.plays IN {3, 4}"), "g")
    try world.expect(.init(text: "ANY remixes.plays BETWEEN {3, 4}"), "g")
    try world.expect(.init(text: "ANY remixes.subtitle != nil"), "g")
    try world.expect(.init(text: "ANY remixes.isLive"), "bg")
    try world.expect(.init(text: "ANY bands.name == 'Blur'"), "g")
    try world.expect(.init(text: "ANY remixes.writer.name == 'Blur'"), "g")
    try world.expect(.init(text: "ANY writer.songs.plays == 3"), "a")
    try world.expect(.init(text: "ANY remixes.bands.name == 'Abba'"), "bg")
    try world.expect(.init(text: "ALL remixes.bands.name == 'Abba'"), "abg")
    try world.expect(.init(text: "ANY remixes.plays > plays"), "bg")
    try world.expect(.init(text: "ANY remixes.plays == 3 AND plays < 0"), "g")
  }

  @Test func membersAreCounted() throws {
    try world.expect(.init(text: "remixes.@count == 2"), "g", as: "remixes.@count == 2")
    try world.expect(.init(text: "remixes.@count > 0"), "bg", as: "remixes.@count > 0")
    try world.expect(.init(text: "remixes.@count == 0"), "a", as: "remixes.@count == 0")
    try world.expect(.init(text: "0 < remixes.@count"), "bg")
    try world.expect(.init(text: "writer.songs.@count + 1 == 3"), "a")
    try world.expect(.init(text: "%K >= 1", "bands.@count"), "abg")
  }

  @Test func subqueriesSelectMembers() throws {
    try world.expect(
      .init(text: "SUBQUERY(remixes, $r, $r.plays > 3 AND $r.isLive).@count > 0"), "bg",
      as: "SUBQUERY(remixes, $m1, $m1.plays > 3 AND $m1.isLive).@count > 0")
    try world.expect(.init(text: "SUBQUERY(remixes, $r, $r.plays > plays).@count == 2"), "g")
    try world.expect(
      .init(text: "SUBQUERY(remixes, $r, ANY $r.bands.name == 'Abba').@count = 0"), "a")
    try world.expect(
      .init(
        text: "SUBQUERY(bands, $b, SUBQUERY($b.songs, $s, $s.plays > $b.songs.@count).@count == 2)"
          + ".@count == 1"), "ab")
    expectRefused("SUBQUERY(plays, $r, $r.plays > 3).@count > 0", at: 9, "needs a collection")
    expectRefused("SUBQUERY(remixes, $r, $x.plays > 3).@count > 0", at: 22, "no argument")
    expectRefused("SUBQUERY(remixes, $r, TRUE).@sum > 0", at: 28, "@count")
  }

  @Test func typedPredicatesArePrinted() throws {
    try world.expect(
      \.$plays > 3 && \.$title == "Alpha", "a", as: "plays > 3 AND title == \"Alpha\"")
    try world.expect(!(\.$plays > 3 || \.$isLive), "bg", as: "NOT (plays > 3 OR isLive)")
    try world.expect(\.$released == SongWorld.day, "a")
    try world.expect(\.$writer.$name == "Abba", "a", as: "writer.name == \"Abba\"")
    try world.expect(\.$price > Cents(units: 600), "a", as: "price > 6.00")
    try world.expect(\.$plays + 1 == 4, "b", as: "plays + 1 == 4")
  }

  @Test func aTextPredicateIsPartOfATypedOne() throws {
    let song = try MagicPredicate<Song>(text: "plays > 3")
    let bands = world.store.query(Band.self)
    #expect(try bands.where { $0.$songs.contains { _ in song } }.all().map(\.name) == ["Abba"])
    #expect(try world.store.query(Song.self).where(song && \.$isLive).count() == 1)
  }
}
