import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Refreshes and drafts of objects with a version.
@Suite(.everyEngine) struct VersionRefreshTests {
  let scratch = Scratch()

  private struct Stopped: Error {}

  /// A database with an invoice, and two instances of its row.
  private func open() async throws -> (magic: MagicData, mine: Invoice, theirs: Invoice) {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let mine = Invoice("a")
    try await magic.update(mine)
    return (magic, mine, try await magic.object(of: Invoice.self, primary: "a"))
  }

  @Test func anOutdatedObjectCanBeSavedAfterARefresh() async throws {
    let (magic, mine, theirs) = try await open()
    theirs.total = 5
    try await magic.update(theirs)
    mine.total += 1
    await #expect(throws: MagicError.self) { try await magic.update(mine) }
    try await magic.refresh(mine)
    #expect(mine.version == 2 && mine.total == 5)
    mine.total += 1
    try await magic.update(mine)
    #expect(mine.version == 3)
    #expect(try await magic.object(of: Invoice.self, primary: "a").total == 6)
  }

  @Test(arguments: [
    ["refresh", "save"], ["save", "refresh"], ["refresh", "save", "refresh", "save"],
  ])
  func aRollbackRestoresTheVersionBeforeRefreshesAndSaves(_ calls: [String]) async throws {
    let (magic, mine, theirs) = try await open()
    if calls[0] == "refresh" {
      for total in 1...3 {
        theirs.total = total
        try await magic.update(theirs)
      }
    }
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        for call in calls {
          mine.total += 10
          if call == "refresh" {
            try transaction.refresh(mine)
          } else {
            try transaction.update(mine)
          }
        }
        throw Stopped()
      }
    }
    #expect(mine.version == 1)
    mine.note = "new"
    if calls[0] == "refresh" {
      await #expect(throws: MagicError.self) { try await magic.update(mine) }
    } else {
      try await magic.update(mine)
      #expect(mine.version == 2)
    }
  }

  @Test func aDraftIsCommittedAfterOtherPropertiesHaveChanged() async throws {
    let (magic, mine, theirs) = try await open()
    let draft = try await magic.draft(of: mine)
    draft.note = "draft"
    theirs.total = 5
    try await magic.update(theirs)
    try await magic.commit(draft)
    let stored = try await magic.object(of: Invoice.self, primary: "a")
    #expect(stored.note == "draft" && stored.total == 5 && stored.version == 3)
    #expect(draft.version == 3)
    // The original does not have the other change, so it stays outdated.
    #expect(mine.note == "draft" && mine.total == 0 && mine.version == 1)
    mine.total += 1
    let error = await #expect(throws: MagicError.self) { try await magic.update(mine) }
    #expect(error?.code == .conflict)
  }

  @Test func theOriginalOfACommittedDraftIsUpToDate() async throws {
    let (magic, mine, _) = try await open()
    let draft = try await magic.draft(of: mine)
    draft.note = "draft"
    try await magic.commit(draft)
    #expect(mine.version == 2)
    mine.total = 1
    try await magic.update(mine)
    #expect(mine.version == 3)
  }

  @Test func aDraftWithAConflictKeepsItsVersion() async throws {
    let (magic, mine, theirs) = try await open()
    let draft = try await magic.draft(of: mine)
    (draft.total, theirs.total) = (1, 2)
    try await magic.update(theirs)
    await #expect(throws: MagicDraftConflict.self) { try await magic.commit(draft) }
    #expect(draft.version == 1 && draft.hasEdits)
    try await magic.commit(draft, overwriting: true)
    #expect(try await magic.object(of: Invoice.self, primary: "a").total == 1)
  }
}
