import Foundation
import MagicCommand
import MagicData
import Testing
import ToolTestSupport

@Suite struct ShowTests {
  @Test(arguments: Fixture.allCases.dropFirst())
  func anObjectOfEachFormatIsATree(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      let run = await magic("show", path, "Home", "home 1")
      #expect(run.status == 0)
      #expect(run.lines.first == "Home #1  home 1")
      #expect(run.lines.contains { $0.hasPrefix("city") && $0.contains("→ City #2") })
      #expect(run.output.contains("referred to by\n"))
      #expect(!run.output.contains("balance"))
      let deep = await magic("show", path, "Home", "#1", "--depth", "2")
      #expect(deep.output.contains("balance"))
      let object = try #require(
        await magic("show", path, "Home", "home 1", "--depth", "2", "--json").json()
          as? [String: Any])
      let relationships = try #require(object["relationships"] as? [String: Any])
      #expect((relationships["city"] as? [String: Any])?["values"] is [String: Any])
      let residents = try #require(relationships["residents"] as? [String: Any])
      #expect((residents["members"] as? [Any])?.count == residents["count"] as? Int)
    }
  }

  @Test func anInverseRelationshipIsNotShownTwice() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let city = await magic("show", path, "City", "#2")
      #expect(city.lines.contains { $0.hasPrefix("homes") })
      #expect(!city.output.contains("Home.city"))
      // The file of an earlier format has no inverse relationships.
      let earlier = await magic("show", try Fixture.assets.copy(to: directory), "City", "#2")
      #expect(earlier.output.contains("Home.city"))
    }
  }

  @Test func anAssetIsShownWithItsSize() async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let photo = await magic("show", path, "Photo", "#1")
      #expect(photo.lines.contains { $0.contains(" B  ") && $0.contains("/") })
    }
  }

  @Test func cyclesEnd() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      for type in ["Knot", "Twin", "Home", "City"] {
        let run = await magic("show", path, type, "#1", "--depth", "20")
        #expect(run.status == 0)
      }
    }
  }

  @Test func theNumberOfMembersIsLimited() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let one = await magic("show", path, "Home", "home 1", "--members", "1")
      #expect(one.output.contains("… and 3 more"))
      let none = await magic("show", path, "Home", "home 1", "--members", "0")
      #expect(none.lines.contains { $0.hasPrefix("residents") && $0.hasSuffix("4 objects") })
      #expect(!none.output.contains("• Person"))
    }
  }

  @Test func aNameOfSeveralObjectsIsNotGuessed() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let run = await magic("show", path, "Person", "")
      #expect(run.status == 4)
    }
  }

  @Test func wordsOfASearchIndexNameAnObject() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("notes.sqlite3").path
      let database = try await MagicData(path: path)
      for text in ["A lighthouse at sea", "A ship at sea"] {
        let note = SearchedNote()
        note.text = text
        try await database.update(note)
      }
      await database.close()
      let one = await magic("show", path, "SearchedNote", "lighthouse")
      #expect(one.status == 0)
      #expect(one.output.contains("A lighthouse at sea"))
      let both = await magic("show", path, "SearchedNote", "sea")
      #expect(both.status != 0)
      #expect(both.messages.contains("#1") && both.messages.contains("#2"))
      #expect(!both.messages.contains("others"))
      let none = await magic("show", path, "SearchedNote", "desert")
      #expect(none.status == 4)
      #expect(none.messages.contains("with these words"))
    }
  }

  @Test func aListOfManyObjectsSaysThatThereAreOthers() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("notes.sqlite3").path
      let database = try await MagicData(path: path)
      for _ in 1...11 {
        let note = SearchedNote()
        note.text = "sea"
        try await database.update(note)
      }
      await database.close()
      let run = await magic("show", path, "SearchedNote", "sea")
      #expect(run.status == 4)
      #expect(run.messages.contains("#10, and others."))
      #expect(!run.messages.contains("#11"))
    }
  }
}

private struct SearchedNote: MagicObject {
  @MagicValue(.searchable) var text: String = ""
  init() {}
}
