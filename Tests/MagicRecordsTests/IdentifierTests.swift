import EngineConformance
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

private func identifier<Value: Identifiable>(of value: Value) -> Value.ID { value.id }

@Suite(.everyEngine) struct IdentifierTests {
  let scratch = Scratch()

  @Test func theIdentifierIsThePrimary() throws {
    let team = Team("Reds")
    #expect(identifier(of: team) == team.magicID)
    #expect(try team.magicID == MagicID(primary: "reds"))
    #expect("\(team.id)" == "reds")
    #expect(Team("Reds").id == team.id)
    #expect(Team("Blues").id != team.id)
    let marked = Marked()
    #expect(try marked.id == MagicID(primary: marked.mark))
  }

  /// SQLite compares the bytes of texts, Swift compares characters.
  @Test func textsInOtherUnicodeFormsAreOtherIdentifiers() throws {
    let (composed, decomposed) = (Team("\u{E9}"), Team("e\u{301}"))
    #expect(composed.magicID != decomposed.magicID)
    #expect(Set([composed.magicID, decomposed.magicID, Team("\u{E9}").magicID]).count == 2)
    let player = Player("\u{E9}")
    try player.apply(Player("e\u{301}").values.omitting(\.$team))
    #expect(player.name.unicodeScalars.count == 2)
  }

  @Test func aPropertyOfTheTypeIsPreferred() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let numbered = Numbered()
    #expect(identifier(of: numbered) == 0)
    try await magic.update(numbered)
    #expect(identifier(of: numbered) == 1)
    #expect(try numbered.magicID == MagicID(primary: 1))
  }

  @Test func withoutAPrimaryTheIdentifierIsTheRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    let page = Page()
    let unsaved = ann.id
    #expect(unsaved == ann.id)
    #expect(unsaved != Player("Ann").id)
    #expect("\(unsaved)" == "unsaved")
    try await magic.update(ann)
    try await magic.update(page)
    #expect(ann.id != unsaved)
    #expect(ann.id == MagicID("1"))
    #expect(identifier(of: page) == MagicID("1"))
    #expect(try await magic.object(of: Player.self)[0].id == ann.id)
  }

  @Test func anIdentifierFindsItsObject() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ann, team, marked) = (Player("Ann"), Team("Reds"), Marked())
    ann.team = team
    try await magic.update(ann)
    try await magic.update(marked)
    #expect(try await magic.object(with: ann.id) == ann)
    #expect(try await magic.object(with: ann.id).team == team)
    #expect(try await magic.object(with: team.id) == team)
    let path = marked.mark.uuidString.lowercased()
    let id = try #require(MagicID<Marked>(path))
    #expect(id == marked.id)
    #expect(try await magic.object(with: id).isSameRow(as: marked))
    await #expect { try await magic.object(with: MagicID<Player>("9")!) } throws: {
      ($0 as? MagicError)?.code == .notFound
    }
    await #expect { try await magic.object(with: MagicID<Team>("Reds")!) } throws: {
      ($0 as? MagicError)?.code == .notFound
    }
    await #expect { try await magic.object(with: Player("Bob").id) } throws: {
      ($0 as? MagicError)?.code == .notSaved
    }
  }

  @Test func aStoreFindsTheObjectOfAnIdentifier() throws {
    let store = try MagicObjectStore.onTestedEngine(.memory)
    let team = Team("Reds")
    try store.update(team)
    #expect(try store.object(with: team.id) == team)
  }

  @Test func anIdentifierIsEncodedAsItsValue() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ann, team, marked) = (Player("Ann"), Team("Reds"), Marked())
    try await magic.update(ann)
    func roundTrip<Model>(_ id: MagicID<Model>) throws -> String {
      let json = try JSONEncoder().encode([id])
      #expect(try JSONDecoder().decode([MagicID<Model>].self, from: json) == [id])
      #expect(MagicID(id.description) == id)
      return String(decoding: json, as: UTF8.self)
    }
    #expect(try roundTrip(ann.id) == "[1]")
    #expect(try roundTrip(team.id) == #"["reds"]"#)
    #expect(try roundTrip(marked.id) == #"["\#(marked.mark.uuidString)"]"#)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([Player("Bob").id]) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([Numbered().magicID]) }
  }

  @Test func aWrongIdentifierIsRefused() throws {
    #expect(MagicID<Player>("x") == nil)
    #expect(MagicID<Marked>("x") == nil)
    #expect(MagicID<Numbered>("1.5") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MagicID<Marked>].self, from: Data(#"["x"]"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MagicID<Marked>].self, from: Data("[1]".utf8))
    }
    #expect { try MagicID<Marked>(primary: "x") } throws: {
      ($0 as? MagicError)?.code == .wrongType
    }
    #expect { try MagicID<Player>(primary: "x") } throws: {
      ($0 as? MagicError)?.code == .missingPrimary
    }
  }
}
