import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Cancelled: Error {}

/// Returns the code of the error that the body throws.
private func code(_ body: () async throws -> Void) async -> MagicError.Code? {
  do {
    try await body()
    return nil
  } catch { return (error as? MagicError)?.code }
}

@Suite(.everyEngine) struct RefreshTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  /// A saved instance, a fetched one, and a fetched one that was changed and saved.
  private func saved(_ magic: MagicData) async throws -> [Desk] {
    let desk = Desk.filled()
    try await magic.update(desk)
    let changed = try await magic.object(of: Desk.self)[0]
    changed.changeAll(to: "z")
    try await magic.update(changed)
    try await magic.refresh(desk)
    return [desk, try await magic.object(of: Desk.self)[0], changed]
  }

  @Test func refreshingReplacesATextThatWasReadOften() async throws {
    let magic = try await open()
    let (first, second) = ("the first name of the desk", "the second name of the desk")
    try await magic.update(Desk(first))
    let desk = try await magic.object(of: Desk.self)[0]
    for _ in 0..<3 { #expect(desk.name == first) }
    try await magic.refresh(desk)
    #expect(desk.name == first && !desk.hasChanges)
    let other = try await magic.object(of: Desk.self)[0]
    for _ in 0..<3 { #expect(other.name == first) }
    other.name = second
    try await magic.update(other)
    for _ in 0..<3 { #expect(desk.name == first && other.name == second) }
    try await magic.refresh(desk)
    for _ in 0..<3 { #expect(desk.name == second) }
    desk.name = first
    try await magic.update(desk)
    let stored = try await magic.object(of: Desk.self).map(\.name)
    #expect(stored == [first])
  }

  @Test func eachInstanceOfARowHasTheTextsOfTheRow() async throws {
    let magic = try await open()
    let text = "a text of more than fifteen bytes"
    let number = Numbered()
    number.text = text
    let team = Team(text)
    let captain = Player("the captain of " + text)
    (team.captain, captain.team) = (captain, team)
    try await magic.update(number)
    try await magic.update(team)
    for _ in 0..<3 {
      let first = try await magic.object(of: Numbered.self, primary: number.id)
      let second = try await magic.object(of: Team.self, primary: team.key)
      for _ in 0..<3 {
        #expect(first.text == text && second.name == text)
        #expect(second.captain?.name == "the captain of " + text)
        #expect(second.captain?.team?.name == text)
      }
    }
  }

  @Test func refreshingReadsWhatAnotherInstanceHasSaved() async throws {
    let magic = try await open()
    for (index, desk) in try await saved(magic).enumerated() {
      for round in 0..<2 {
        let copy = desk
        let other = try await magic.object(of: Desk.self)[0]
        other.changeAll(to: "t\(index)\(round)")
        other.people.removeFirst()
        other.group = [Player("Dan")]
        if round == 0 { other.owner = nil }
        other.lazyPeople.set([])
        other.lazyOwner = nil
        try await magic.update(other)
        desk.changeAll(to: "lost")
        desk.lazyOwner = .init(value: Player("Lost"))
        try await magic.refresh(desk)
        #expect(copy.summary == other.summary && !copy.hasChanges && copy.changes.isEmpty)
        #expect(copy.lazyOwner == nil)
        #expect(try await copy.lazyPeople.get().isEmpty)
        desk.name = "lost"
        desk.people = []
        desk.owner = nil
        desk.lazyOwner = .init(value: Player("Lost"))
        desk.revert()
        #expect(desk.summary == other.summary && desk.lazyOwner == nil)
        other.lazyOwner = .init(value: Player("Lea"))
        try await magic.update(other)
        try await magic.refresh(desk)
        #expect(try await desk.lazyOwner?.get().name == "Lea")
      }
    }
  }

  @Test func aRefreshedObjectIsSavedAsAFetchedOne() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let other = try await magic.object(of: Desk.self)[0]
      other.people.insert(Player("New"), at: 0)
      other.byShirt[3] = Player("Three")
      other.width = 5
      try await magic.update(other)
      try await magic.refresh(desk)
      try await magic.update(desk)
      #expect(try await magic.object(of: Desk.self)[0].summary == other.summary)
      desk.people.remove(at: 1)
      desk.byShirt[9] = nil
      desk.name = "again"
      #expect(desk.changedProperties == ["name", "people", "byShirt"])
      try await magic.update(desk)
      let fetched = try await magic.object(of: Desk.self)[0]
      #expect(fetched.summary == desk.summary && fetched.width == 5)
    }
  }

  @Test func refreshingAMissingRowThrowsAndChangesNothing() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[0]
    let missing = try await magic.object(of: Desk.self)[0]
    missing.name = "kept"
    let present = Desk("present")
    try await magic.update(present)
    try await magic.remove(desk)
    present.name = "kept too"
    #expect(await code { try await magic.refresh(contentsOf: [present, missing]) } == .notFound)
    #expect(missing.name == "kept" && present.name == "kept too" && present.hasChanges)
    for unsaved in [desk, Desk("new")] {
      #expect(await code { try await magic.refresh(unsaved) } == .notSaved)
    }
    let other = try await MagicData.onTestedEngine(path: scratch.file("other.db"))
    #expect(await code { try await other.refresh(present) } == .notSaved)
  }

  @Test func aRollbackRestoresTheStateBeforeARefresh() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let stored = desk.summary
      desk.changeAll(to: "mine")
      desk.lazyOwner = nil
      let (mine, changed) = (desk.summary, desk.changedProperties)
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          try transaction.refresh(desk)
          #expect(desk.summary == stored && !desk.hasChanges)
          throw Cancelled()
        }
      }
      #expect(desk.summary == mine && desk.changedProperties == changed && desk.lazyOwner == nil)
      desk.revert()
      #expect(desk.summary == stored && desk.lazyOwner != nil)
    }
  }

  @Test func aRollbackKeepsWhatWasSetAfterARefresh() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let stored = desk.summary
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          desk.name = "first"
          desk.tags = ["first"]
          try transaction.update(desk)
          try transaction.refresh(desk)
          #expect(desk.name == "first")
          desk.name = "second"
          try transaction.update(desk)
          try transaction.refresh(desk)
          desk.width = 99
          throw Cancelled()
        }
      }
      #expect(desk.name == "second" && desk.tags == ["first"] && desk.width == 99)
      #expect(desk.changedProperties == ["name", "width", "tags"])
      desk.revert()
      #expect(desk.summary == stored)
    }
  }

  @Test func aRollbackAfterARefreshAndASaveKeepsRelationshipsOfOthers() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let other = try #require(
        try await magic.object(of: Desk.self).first { $0.isSameRow(as: desk) })
      let (owner, people) = (Player("Zoe"), [Player("Yan")])
      other.owner = owner
      other.people = people
      try await magic.update(other)
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          try transaction.refresh(desk)
          desk.name = "mine"
          try transaction.update(desk)
          throw Cancelled()
        }
      }
      desk.width += 1
      try await magic.update(desk)
      let stored = try #require(
        try await magic.object(of: Desk.self).first { $0.isSameRow(as: desk) })
      #expect(stored.owner?.name == "Zoe" && stored.people.map(\.name) == ["Yan"])
      stored.owner = Player("Ann")
      stored.people = [Player("Bob"), Player("Cid")]
      try await magic.update(stored)
      try await magic.refresh(desk)
    }
  }

  @Test func aSavepointIsRolledBackWithItsRefresh() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let people = desk.people.map(\.name)
      try await magic.transaction { transaction in
        let other = try transaction.object(of: Desk.self)[0]
        other.people = []
        try transaction.update(other)
        #expect(throws: Cancelled.self) {
          try transaction.transaction {
            try $0.refresh(desk)
            #expect(desk.people.isEmpty)
            throw Cancelled()
          }
        }
        #expect(desk.people.map(\.name) == people)
        other.people = desk.people
        try transaction.update(other)
        try transaction.refresh(desk)
      }
      #expect(desk.people.map(\.name) == people && !desk.hasChanges)
    }
  }

  @Test func anObjectThatATransactionHasInsertedCanBeRefreshed() async throws {
    let magic = try await open()
    let desk = Desk("new")
    try await magic.transaction { transaction in
      try transaction.update(desk)
      desk.name = "lost"
      try transaction.refresh(desk)
      #expect(desk.name == "new" && desk.id > 0)
    }
    #expect(!desk.hasChanges)
    let undone = Desk("undone")
    await #expect(throws: Cancelled.self) {
      try await magic.transaction { transaction in
        try transaction.update(undone)
        undone.name = "set"
        try transaction.refresh(undone)
        throw Cancelled()
      }
    }
    #expect(!undone.isSaved && undone.name == "set")
    try await magic.update(undone)
    #expect(try await magic.object(of: Desk.self).map(\.name) == ["new", "set"])
  }

  @Test func cyclicObjectsAreRefreshed() async throws {
    let magic = try await open()
    let root = Branch("root", [Branch("a"), Branch("b")])
    for child in root.children { child.parent = root }
    try await magic.update(root)
    for branch in [root, try await magic.object(of: Branch.self)[0]] {
      let other = try #require(
        try await magic.object(of: Branch.self).first { $0.isSameRow(as: branch) })
      other.children.append(Branch("c"))
      other.name = "r"
      try await magic.update(other)
      try await magic.refresh(branch)
      #expect(
        branch.children.map(\.name) == other.children.map(\.name) && branch.name == other.name)
      branch.children.removeLast()
      try await magic.update(branch)
      let again = try #require(
        try await magic.object(of: Branch.self).first { $0.isSameRow(as: branch) })
      #expect(again.children.map(\.name) == branch.children.map(\.name))
    }
  }

  @Test func inverseRelationshipsAndObserversAreUnaffected() async throws {
    let magic = try await open()
    let player = Player("Ann")
    let league = League()
    league.stars = [player]
    try await magic.update(league)
    let (changes, stream) = (Flag(), magic.changes(of: Player.self))
    let observation = Task { for await _ in stream { changes.set() } }
    try await magic.refresh(player)
    player.name = "Bob"
    try await magic.refresh(player)
    #expect(player.name == "Ann")
    #expect(try await player.leagues.count == 1)
    #expect(!changes.isSet)
    observation.cancel()
  }

  @Test func aReadOnlyDatabaseRefreshes() async throws {
    let path = scratch.file()
    let magic = try await MagicData(path: path)
    let page = Page()
    page.text = "a"
    try await magic.update(page)
    await magic.close()
    let reader = try await MagicData(path: path, options: MagicOptions(readOnly: true))
    let fetched = try await reader.object(of: Page.self)[0]
    fetched.text = "b"
    try await reader.refresh(fetched)
    #expect(fetched.text == "a" && !fetched.hasChanges)
    await reader.close()
  }

  @Test func storedValuesOfEachTypeAreRefreshed() async throws {
    let magic = try await MagicData(type: .temporary)
    let new = Everything()
    new.text = "a"
    new.asset = MagicAsset(value: "old")
    try await magic.update(new)
    let fetched = try await magic.object(of: Everything.self)[0]
    for object in [new, fetched] {
      let other = try await magic.object(of: Everything.self)[0]
      other.asset = MagicAsset(value: "new")
      other.maybe = other.maybe == nil ? 4 : nil
      other.rank = .low
      other.job.title = "b"
      other.data.append(4)
      try await magic.update(other)
      object.heat = Celsius(0)
      try await magic.refresh(object)
      #expect(object.values == other.values && !object.hasChanges)
      #expect(object.asset?.value == "new")
    }
    await magic.close()
  }

  @Test func concurrentRefreshesReadsAndSavesAgree() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[1]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<40 {
            switch (task + index) % 4 {
            case 0: try await magic.refresh(desk)
            case 1:
              desk.width += 1
              try await magic.update(desk)
            case 2: desk.tags.append("y")
            default: desk.revert()
            }
            _ = (desk.summary, desk.changes)
          }
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(desk)
    #expect(try await magic.object(of: Desk.self)[0].summary == desk.summary)
  }
}
