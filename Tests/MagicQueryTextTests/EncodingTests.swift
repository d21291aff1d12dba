import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import Testing

/// Encoded predicates are checked like any text.
@Suite(.everyEngine) struct EncodingTests {
  let world: SongWorld

  init() throws { world = try SongWorld() }

  private func decode(_ json: String) throws -> MagicPredicate<Song> {
    try JSONDecoder().decode(MagicPredicate<Song>.self, from: Data(json.utf8))
  }

  private func row(
    _ predicate: (MagicRow<Song>) -> MagicPredicate<Song>
  ) -> MagicPredicate<Song> { predicate(MagicRow(scope: .root)) }

  @Test func theEncodedFormIsTextAndArguments() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let predicate = try MagicPredicate<Song>(text: "plays > 3 AND title IN {'a'}")
    #expect(
      String(decoding: try encoder.encode(predicate), as: UTF8.self)
        == #"{"arguments":[{"integer":3},{"list":[{"text":"a"}]}],"#
        + #""text":"plays > $0 AND title IN $1","version":1}"#)
  }

  @Test func tamperedEncodingsAreRefused() throws {
    func refused(_ text: String, _ arguments: String) {
      let json = #"{"version":1,"text":"\#(text)","arguments":[\#(arguments)]}"#
      #expect(throws: MagicError.self, "\(json)") { try decode(json) }
    }
    refused("plays > $0", "")
    refused("plays > $0", #"{"text":"a"}"#)
    refused("plays > $0", #"{"integer":1},{"integer":2}"#)
    refused("plays > $0", #"{"list":[{"integer":1}]}"#)
    refused("plays > $0", #"{"null":true}"#)
    refused("plays IN $0", #"{"list":[{"list":[]}]}"#)
    refused("genre == $0", #"{"text":"jazz"}"#)
    refused("token == $0", #"{"text":"x"}"#)
    refused("isLive == $0", #"{"integer":7}"#)
    refused("title == $0", #"{"blob":"AAAA"}"#)
    refused("writer == $0", #"{"integer":1}"#)
    refused("plays > 3; DROP TABLE Song", "")
    refused(String(repeating: "(", count: 500), "")
    #expect(throws: MagicError.self) {
      try decode(#"{"version":2,"text":"plays > 3","arguments":[]}"#)
    }
    for json in [
      "{}", "3", #"{"version":1,"text":"TRUE"}"#,
      #"{"version":1,"text":"plays > $0","arguments":[{}]}"#,
      #"{"version":1,"text":"plays > $0","arguments":[{"integer":"x"}]}"#,
    ] {
      #expect(throws: DecodingError.self, "\(json)") { try decode(json) }
    }
  }

  @Test func operationsWithoutATextFormAreRefused() throws {
    let songs = MagicQuery(Song.self).where { $0.$title.count > 3 }
    #expect(try songs.bound(to: world.store).count() == 3)
    let isLong: (MagicRow<Song>) -> MagicPredicate<Song> = { $0.$title.count > 3 }
    try world.expect(isLong)
  }

  @Test func emptyTextsAndCollectionsAreTested() throws {
    try world.expect(row { $0.$title.isEmpty }, "", as: #"title == """#)
    try world.expect(row { !$0.$subtitle.isEmpty && $0.$subtitle != nil }, "b")
    try world.expect(row { $0.$tags.isEmpty }, "bg", as: "tags.isEmpty")
    try world.expect(row { !$0.$tags.isEmpty }, "a", as: "NOT tags.isEmpty")
    try world.expect(.init(text: "tags.isEmpty AND remixes.isEmpty == FALSE"), "bg")
    try world.expect(.init(text: "writer.rival.name.isEmpty OR writer.songs.isEmpty"), "g")
    try world.expect(.init(text: "ANY remixes.tags.isEmpty"), "g")
  }

  @Test func theErrorForAnObjectNamesTheProperty() throws {
    func expectError(_ predicate: MagicPredicate<Song>, _ name: String, _ type: String) {
      for printed in [
        { try JSONEncoder().encode(predicate) as Any }, { try predicate.formatText() },
      ] {
        let error = #expect(throws: MagicError.self) { try printed() }
        #expect(error?.code == .invalidQuery)
        #expect(
          error?.message.contains("compares \(type).\(name) with an object") == true, "\(name)")
        #expect(error?.property == name && error?.type == type)
      }
    }
    let song = try #require(try world.store.query(Song.self).first())
    expectError(row { $0.$plays > 3 && $0.$writer == world.abba }, "writer", "Song")
    expectError(row { $0.$writer.$rival != world.abba }, "rival", "Band")
    expectError(row { $0.$remixes.contains(song) }, "remixes", "Song")
    expectError(row { $0.$remixes.contains { $0.$writer == world.abba } }, "writer", "Song")
  }

  @Test func storedFormsAreAccepted() throws {
    for (text, argument) in [
      ("plays == $0", #"{"integer":10}"#), ("released == $0", #"{"real":86400.5}"#),
      ("genre == $0", #"{"text":"pop"}"#), ("price == $0", #"{"integer":1990}"#),
      ("data == $0", #"{"blob":"AQI="}"#), ("isLive == $0", #"{"integer":1}"#),
      ("subtitle == $0 AND isLive", #"{"null":true}"#),
    ] {
      let predicate = try decode(
        #"{"version":1,"text":"\#(text)","arguments":[\#(argument)]}"#)
      #expect(try world.store.query(Song.self).where(predicate).all().map(\.title) == ["Alpha"])
    }
  }

  @Test func argumentsAreNeverPartsOfTheText() throws {
    for hostile in [
      "' OR 1 == 1 --", "\"; DROP TABLE Song; --", "x\" OR TRUEPREDICATE OR \"", "\\", "$0", "%@",
      "a\0b", "*", "%",
    ] {
      try world.expect(.init(text: "title == %@", hostile), "")
      try world.expect(.init(text: "title CONTAINS %@ AND FALSE", hostile), "")
      try world.expect(.init(text: "title IN %@", [hostile]), "")
    }
    #expect(try world.store.query(Song.self).count() == 3)
  }
}
