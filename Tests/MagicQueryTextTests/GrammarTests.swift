import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import Testing

/// The grammar of predicates as text.
@Suite(.everyEngine) struct GrammarTests {
  let world: SongWorld

  init() throws { world = try SongWorld() }

  @Test func comparisonsHaveAllSpellings() throws {
    for sign in ["=", "=="] { try world.expect(.init(text: "plays \(sign) 3"), "b") }
    for sign in ["!=", "<>"] { try world.expect(.init(text: "plays \(sign) 3"), "ag") }
    for sign in ["<=", "=<"] { try world.expect(.init(text: "plays \(sign) 3"), "bg") }
    for sign in [">=", "=>"] { try world.expect(.init(text: "plays \(sign) 3"), "ab") }
    try world.expect(.init(text: "plays<3"), "g", as: "plays < 3")
    try world.expect(.init(text: "plays>3"), "a", as: "plays > 3")
  }

  @Test func logicHasAllSpellingsAndPrecedences() throws {
    try world.expect(.init(text: "plays > 3 OR plays < 0 AND rating == 2"), "ag")
    try world.expect(
      .init(text: "(plays > 3 || plays < 0) && rating == 2"), "g",
      as: "(plays > 3 OR plays < 0) AND rating == 2.0")
    try world.expect(.init(text: "not plays > 3 aNd plays > 0"), "b")
    try world.expect(.init(text: "!(plays > 3)"), "bg", as: "NOT plays > 3")
    try world.expect(.init(text: "NOT NOT isLive"), "a")
    try world.expect(.init(text: "((((isLive))))"), "a", as: "isLive")
    try world.expect(.init(text: "(plays > 3) == FALSE"), "bg")
    try world.expect(.init(text: "(plays > 3) != isLive"), "")
  }

  @Test func constantsAreConditions() throws {
    try world.expect(.init(text: "TRUEPREDICATE"), "abg", as: "TRUE")
    try world.expect(.init(text: "FALSEPREDICATE"), "", as: "FALSE")
    try world.expect(.init(text: "YES AND plays == 3"), "b")
    try world.expect(.init(text: "%@ OR plays == 3", false), "b")
    try world.expect(.init(text: "1 < 2 AND 'a' == \"a\""), "abg")
    try world.expect(.init(text: "nil == nil"), "abg")
  }

  @Test func constantsMayBeOnTheLeft() throws {
    try world.expect(.init(text: "3 < plays"), "a", as: "plays > 3")
    try world.expect(.init(text: "3 <= plays"), "ab")
    try world.expect(.init(text: "3 > plays"), "g")
    try world.expect(.init(text: "3 >= plays"), "bg")
    try world.expect(.init(text: "\"Alpha\" == title"), "a")
    try world.expect(.init(text: "NULL != subtitle"), "b")
  }

  @Test func textOperatorsMatchTypedOnes() throws {
    try world.expect(.init(text: "title BEGINSWITH \"Al\""), "a")
    try world.expect(.init(text: "title BEGINSWITH \"\""), "abg")
    try world.expect(.init(text: "title BEGINSWITH[c] \"AL\""), "a")
    try world.expect(.init(text: "title ENDSWITH 'pha'"), "a")
    try world.expect(.init(text: "title ENDSWITH[c] 'PHA'"), "a")
    try world.expect(.init(text: "title CONTAINS 'm'"), "g")
    try world.expect(.init(text: "title CONTAINS[C] 'AMM'"), "g")
    try world.expect(.init(text: "subtitle CONTAINS \"%_\""), "b")
    try world.expect(.init(text: "subtitle CONTAINS[c] \"é\""), "b")
    try world.expect(.init(text: "subtitle CONTAINS[c] \"É\""), "b")
    try world.expect(.init(text: "title ==[c] \"ALPHA\""), "a")
    try world.expect(.init(text: "title IN[c] {\"ALPHA\", \"x\"}"), "a")
    try world.expect(.init(text: "lowercase(title) == 'alpha'"), "a")
    try world.expect(.init(text: "uppercase(title) BEGINSWITH 'ALPH'"), "a")
  }

  @Test func likeHasItsOwnWildcards() throws {
    try world.expect(.init(text: "title LIKE 'A*a'"), "a", as: "title LIKE \"A*a\"")
    try world.expect(.init(text: "title LIKE 'a*a'"), "")
    try world.expect(.init(text: "title LIKE[c] 'a*A'"), "a", as: "title LIKE[c] \"a*A\"")
    try world.expect(.init(text: "title LIKE 'A??ha'"), "a")
    try world.expect(.init(text: #"title LIKE "*\\*""#), "b", as: #"title LIKE "*\\*""#)
    try world.expect(.init(text: #"title LIKE[c] "beta\\*""#), "b")
    try world.expect(.init(text: "subtitle LIKE '100%_?'"), "b")
    try world.expect(.init(text: "subtitle LIKE[c] '1?0%_é'"), "b")
    try world.expect(.init(text: "subtitle LIKE '[0-9]*'"), "")
    try world.expect(.init(text: "title LIKE %@", "Be[t]a*"), "")
  }

  @Test func listsAndRanges() throws {
    try world.expect(.init(text: "plays IN {3, 10}"), "ab", as: "plays IN {3, 10}")
    try world.expect(.init(text: "plays IN {}"), "")
    try world.expect(.init(text: "plays IN %@", [3, -1]), "bg")
    try world.expect(.init(text: "plays IN $0", Set([3])), "b")
    try world.expect(.init(text: "title IN $names", named: ["names": ["Alpha"]]), "a")
    try world.expect(.init(text: "plays BETWEEN {3, 10}"), "ab", as: "plays BETWEEN {3, 10}")
    try world.expect(.init(text: "plays BETWEEN {$0, $1}", -5, 3), "bg")
    try world.expect(.init(text: "plays BETWEEN %@", [4, 20]), "a")
  }

  @Test func numbersAreComputed() throws {
    try world.expect(.init(text: "plays + 1 == 4"), "b", as: "plays + 1 == 4")
    try world.expect(.init(text: "plays - (1 - 2) * 3 == 6"), "b")
    try world.expect(.init(text: "plays * 2 > rating * 4"), "ab")
    try world.expect(.init(text: "-plays > 0"), "g", as: "-plays > 0")
    try world.expect(.init(text: "plays / 3 == 3"), "a")
    try world.expect(.init(text: "plays > 9.5"), "a")
    try world.expect(.init(text: "plays == -1"), "g")
    try world.expect(.init(text: "rating == 4.5e0"), "a")
    try world.expect(.init(text: "plays == #in + 3"), "ab")
  }

  @Test func namesOfKeywordsNeedASign() throws {
    try world.expect(.init(text: "#in == 7"), "a", as: "#in == 7")
    try world.expect(.init(text: "%K == 7", "in"), "a")
  }

  @Test func quotedTextsHaveEscapes() throws {
    try world.expect(.init(text: #"title == "gAmma \"q\"\n""#), "g")
    try world.expect(.init(text: #"title ENDSWITH 'q"\n'"#), "g")
    try world.expect(.init(text: #"title BEGINSWITH "\u0041l""#), "a")
    try world.expect(.init(text: "title == %@", "gAmma \"q\"\n"), "g")
  }

  @Test func ordersAreTexts() throws {
    let songs = world.store.query(Song.self)
    #expect(try songs.order(text: "plays").select(\.$plays).all() == [-1, 3, 10])
    #expect(try songs.order(text: "plays DESC").select(\.$plays).all() == [10, 3, -1])
    #expect(
      try songs.order(text: "remixes.@count desc, writer.name ASC").select(\.$plays).all()
        == [-1, 3, 10])
    #expect(
      try songs.order(text: "isLive, plays * -1").select(\.$plays).all() == [3, -1, 10])
    for text in ["", "plays,", "plays DOWN", "tags", "plays > 3 DESC", "$0", "cost"] {
      #expect(throws: MagicError.self, "\(text)") { try songs.order(text: text).all() }
    }
  }

  @Test func textsWorkInAllTerminals() throws {
    let songs = world.store.query(Song.self)
    let live = songs.where(text: "plays > $0", 0).where(\.$isLive)
    #expect(try live.all().map(\.title) == ["Alpha"])
    #expect(try live.count() == 1)
    #expect(try live.exists())
    #expect(try live.sum(\.$plays) == 10)
    #expect(try live.update(set: .set(\.$subtitle, to: "new")) == 1)
    #expect(try songs.where(text: "subtitle == 'new'").delete() == 1)
    #expect(try songs.count() == 2)
    #expect(throws: MagicError.self) { try songs.where(text: "plays >").count() }
    #expect(throws: MagicError.self) { try songs.where(text: "plays >").delete() }
    #expect(try songs.count() == 2)
  }

  @Test func textsWorkInStreamsAndObservation() async throws {
    let data = try await MagicData.onTestedEngine(type: .temporary)
    try await data.update(Band("Solo"))
    let bands = data.query(Band.self).where(text: "name == %@", "Solo")
    #expect(try await bands.count() == 1)
    var streamed = 0
    for try await band in bands.stream() where band.name == "Solo" { streamed += 1 }
    #expect(streamed == 1)
    for try await found in bands.values() {
      #expect(found.map(\.name) == ["Solo"])
      break
    }
    await data.close()
  }
}
