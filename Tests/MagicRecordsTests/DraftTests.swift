import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Cancelled: Error {}

@Suite(.everyEngine) struct DraftTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func saved(_ magic: MagicData) async throws -> [Desk] {
    let desk = Desk("a")
    desk.people = [Player("Bob")]
    try await magic.update(desk)
    return [desk, try await magic.object(of: Desk.self)[0]]
  }

  @Test func aDraftIsApartFromItsObjectUntilItIsCommitted() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      try await magic.refresh(desk)
      let before = desk.summary
      let draft = try await magic.draft(of: desk)
      #expect(!draft.hasEdits && draft.object.summary == before)
      draft.name += "b"
      draft.people.append(Player("New"))
      draft.owner = Player("Ann")
      #expect(draft.hasEdits && draft.edits.map(\.name) == ["name", "owner", "people"])
      #expect(desk.summary == before && !desk.hasChanges)
      desk.note = "kept"
      try await magic.commit(draft)
      #expect(!draft.hasEdits && draft.name == desk.name)
      #expect(desk.changedProperties == ["note"] && desk.note == "kept")
      #expect(desk.people.last?.name == "New" && desk.owner?.name == "Ann")
      let stored = try await magic.object(of: Desk.self)[0]
      #expect(stored.summary == draft.object.summary && stored.note == nil)
      #expect(draft.summary == stored.summary && draft.original.isSameRow(as: desk))
    }
  }

  @Test func editsContainInverseRelationships() async throws {
    let magic = try await open()
    let (player, league) = (Player("Ann"), League())
    try await magic.update(player, league)
    let draft = try await magic.draft(of: player)
    draft.name = "Anna"
    try draft.leagues.insert(league)
    #expect(draft.hasEdits && draft.edits.map(\.name) == ["name", "leagues"])
    #expect(draft.edits[1].old == nil && draft.edits[1].new == nil)
    #expect(draft.object.changedProperties == ["name"] && !player.hasChanges)
    draft.discard()
    #expect(draft.edits.isEmpty)
    try draft.leagues.insert(league)
    #expect(draft.edits.map(\.name) == ["leagues"])
    try await magic.commit(draft)
    #expect(draft.edits.isEmpty && !draft.hasEdits)
    #expect(try await player.leagues.count == 1)
  }

  @Test func aDiscardedDraftChangesNothing() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[1]
    let draft = try await magic.draft(of: desk)
    draft.name = "b"
    draft.discard()
    #expect(draft.name == "a" && !draft.hasEdits)
    try await magic.commit(draft)
    #expect(desk.name == "a" && !desk.hasChanges)
  }

  @Test func aConflictNamesThePropertiesWithTheirValues() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[0]
    let draft = try await magic.draft(of: desk)
    draft.name = "mine"
    draft.width = 7
    draft.tags = ["same"]
    desk.name = "theirs"
    desk.tags = ["same"]
    desk.note = "other"
    try await magic.update(desk)
    let error = await #expect(throws: MagicDraftConflict.self) { try await magic.commit(draft) }
    #expect(error?.properties.map(\.name) == ["name"] && error?.type == "Desk")
    let name = error?.properties.first
    #expect(name?.base as? String == "a" && name?.mine as? String == "mine")
    #expect(name?.theirs as? String == "theirs")
    #expect("\(error as Any)".contains("name. Nothing was written."))
    #expect(draft.hasEdits && desk.name == "theirs")
    #expect(try await magic.object(of: Desk.self)[0].width == 1)

    try await magic.commit(draft, overwriting: true)
    #expect(desk.name == "mine" && desk.width == 7 && desk.note == "other")
    #expect(try await magic.object(of: Desk.self)[0].summary == desk.summary)
    #expect(try await magic.object(of: Desk.self)[0].note == "other")
  }

  @Test func aRolledBackCommitKeepsDraftAndObject() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          let draft = try transaction.draft(of: desk)
          draft.name = "b"
          try transaction.commit(draft)
          #expect(desk.name == "b")
          throw Cancelled()
        }
      }
      #expect(desk.name == "a" && !desk.hasChanges)
      let draft = try await magic.draft(of: desk)
      draft.name = "b"
      await #expect(throws: Cancelled.self) {
        try await magic.transaction {
          try $0.commit(draft)
          throw Cancelled()
        }
      }
      #expect(draft.edits.map(\.name) == ["name"] && desk.name == "a")
    }
  }

  @Test func aDraftNeedsARow() async throws {
    let magic = try await open()
    let new = await #expect(throws: MagicError.self) { try await magic.draft(of: Desk("new")) }
    #expect(new?.code == .notSaved)
    let desk = try await saved(magic)[0]
    let draft = try await magic.draft(of: desk)
    draft.name = "b"
    try await magic.remove(desk)
    let missing = await #expect(throws: MagicError.self) { try await magic.commit(draft) }
    #expect(missing?.code == .notFound && draft.hasEdits)
  }
}
