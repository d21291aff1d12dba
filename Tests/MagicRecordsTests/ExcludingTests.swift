import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A type with a required to-one.
struct Chair: MagicObject {
  @MagicValue var color: String
  @MagicValue var player: Player
  @MagicValue(.owned) var parts: [Part] = []

  init() {}
  init(_ color: String, _ player: Player) {
    self.color = color
    self.player = player
  }
}

struct Part: MagicObject {
  @MagicValue var name: String
  init() {}
  init(_ name: String) { self.name = name }
}

/// Returns the code of the error that the body throws.
private func code(_ body: () async throws -> Void) async -> MagicError.Code? {
  do {
    try await body()
    return nil
  } catch { return (error as? MagicError)?.code }
}

private struct Stopped: Error {}

/// Relationships that a query does not load with its objects.
@Suite(.everyEngine) struct ExcludingTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger()))
    let desk = Desk("a")
    desk.owner = Player("Ann")
    desk.people = [Player("Bob"), Player("Cid")]
    desk.group = [Player("Dan")]
    desk.byShirt = [1: Player("Eve")]
    try await magic.update(contentsOf: [desk, Desk("b")])
    return magic
  }

  private func bare(_ magic: MagicData) -> MagicQuery<Desk, MagicData> {
    magic.query(Desk.self).order(by: \.$name).excluding(\.$owner).excluding(\.$people)
      .excluding(\.$group).excluding(\.$byShirt)
  }

  private func bareDesk(_ magic: MagicData) async throws -> Desk {
    try #require(try await bare(magic).first())
  }

  private func stored(_ magic: MagicData) async throws -> [String] {
    try #require(try await magic.query(Desk.self).order(by: \.$name).first()).summary
  }

  @Test(.requires(.queries)) func onlyTheRowsAreRead() async throws {
    let magic = try await open()
    _ = try await bare(magic).all()
    recorder.clear()
    let desks = try await bare(magic).all()
    if TestedEngine.current.has(.statements) {
      #expect(recorder.work.filter { $0.contains("SELECT") }.count == 1)
    }
    #expect(desks.map(\.name) == ["a", "b"])
    for desk in desks {
      #expect(!desk.$people.isSet && !desk.$group.isSet && !desk.$byShirt.isSet)
      #expect(desk.$name.isSet && desk.isSaved && !desk.hasChanges && desk.changes.isEmpty)
      #expect(!desk.$people.hasChanged && !desk.$owner.hasChanged)
    }
    #expect(!desks[0].$owner.isSet)
    // NULL in the row needs no further read.
    #expect(desks[1].$owner.isSet && desks[1].owner == nil)
  }

  @Test(.requires(.queries)) func otherRelationshipsAreLoaded() async throws {
    let magic = try await open()
    let desk = try #require(try await magic.query(Desk.self).excluding(\.$people).first())
    #expect(desk.owner?.name == "Ann" && desk.byShirt[1]?.name == "Eve")
    #expect(!desk.$people.isSet)
    let other = try #require(try await magic.query(Desk.self).excluding(\.$owner).first())
    #expect(other.people.map(\.name) == ["Bob", "Cid"] && !other.$owner.isSet)
  }

  @Test(.requires(.queries)) func predicatesUseTheExcludedRelationship() async throws {
    let magic = try await open()
    let found = try await bare(magic).where { $0.$people.contains { $0.$name == "Bob" } }.all()
    #expect(found.map(\.name) == ["a"])
    #expect(try await bare(magic).where(\.$owner.$name == "Ann").count() == 1)
  }

  @Test(.requires(.queries)) func streamsAndTransactionsExclude() async throws {
    let magic = try await open()
    var names: [String] = []
    for try await desk in bare(magic).stream() {
      #expect(!desk.$people.isSet)
      names.append(desk.name)
    }
    #expect(names == ["a", "b"])
    try await magic.transaction { transaction in
      let desks = try transaction.query(Desk.self).excluding(\.$people).all()
      #expect(desks.allSatisfy { !$0.$people.isSet })
    }
  }

  @Test(.requires(.queries)) func aSaveKeepsWhatIsStored() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let desk = try await bareDesk(magic)
    try await magic.update(desk)
    #expect(try await stored(magic) == before)
    desk.name = "a2"
    try await magic.update(desk)
    #expect(try await stored(magic) == ["a2"] + before.dropFirst())
    #expect(!desk.$people.isSet && !desk.$owner.isSet && !desk.hasChanges)
    try await magic.update(desk, ifMissing: .insert)
    #expect(try await stored(magic) == ["a2"] + before.dropFirst())
  }

  @Test(.requires(.queries)) func anAssignmentReplacesWhatIsStored() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    desk.people = [Player("Fay")]
    desk.group = []
    desk.byShirt = [2: Player("Gus")]
    desk.owner = nil
    #expect(Set(desk.changedProperties) == ["owner", "people", "group", "byShirt"])
    #expect(desk.changes.allSatisfy { $0.old == nil })
    try await magic.update(desk)
    #expect(try await stored(magic) == desk.summary)
    #expect(desk.people.map(\.name) == ["Fay"] && desk.owner == nil && desk.group.isEmpty)
    // From then on, the save writes differences.
    let other = try #require(try await magic.query(Desk.self).order(by: \.$name).first())
    other.people.append(Player("Hal"))
    try await magic.update(other)
    desk.people.append(Player("Ian"))
    try await magic.update(desk)
    #expect(
      try await magic.query(Desk.self).order(by: \.$name).first()?.people.map(\.name)
        == ["Fay", "Hal", "Ian"])
  }

  @Test(.requires(.queries)) func aRolledBackAssignmentIsStillAnAssignment() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let desk = try await bareDesk(magic)
    desk.people = [Player("Fay")]
    desk.owner = Player("Joe")
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        try transaction.update(desk)
        throw Stopped()
      }
    }
    #expect(try await stored(magic) == before)
    #expect(desk.$people.hasChanged && desk.$owner.hasChanged)
    try await magic.update(desk)
    #expect(try await stored(magic)[5] == "Joe")
    #expect(try await stored(magic)[6] == "[\"Fay\"]")
  }

  @Test(.requires(.queries)) func revertingAnAssignmentExcludesAgain() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let desk = try await bareDesk(magic)
    desk.people = [Player("Fay")]
    desk.owner = Player("Joe")
    desk.revert()
    #expect(!desk.$people.isSet && !desk.$owner.isSet && !desk.hasChanges)
    try await magic.update(desk)
    #expect(try await stored(magic) == before)
  }

  @Test(.requires(.queries)) func refreshingLoads() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    let copy = desk
    try await magic.refresh(desk)
    #expect(try await copy.summary == stored(magic))
    #expect(!copy.hasChanges && copy.$people.isSet)
    desk.people.removeFirst()
    desk.owner = nil
    desk.revert()
    #expect(try await copy.summary == stored(magic))
    desk.people.removeFirst()
    desk.owner?.name = "Anna"
    try await magic.update(desk)
    #expect(try await copy.summary == stored(magic) && copy.people.map(\.name) == ["Cid"])
  }

  @Test(.requires(.queries)) func aRolledBackRefreshExcludesAgain() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        try transaction.refresh(desk)
        #expect(desk.$people.isSet && desk.owner?.name == "Ann")
        throw Stopped()
      }
    }
    #expect(!desk.$people.isSet && !desk.$owner.isSet)
  }

  @Test(.requires(.queries)) func recordsAndCopiesLeaveItOut() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    let text = String(decoding: try JSONEncoder().encode(desk.values), as: UTF8.self)
    #expect(!text.contains("people") && !text.contains("owner") && text.contains("name"))
    #expect(
      desk.debugDescription.contains("people: –") && desk.debugDescription.contains("owner: –"))
    let copy = desk.copy()
    #expect(copy.name == "a" && copy.owner == nil && copy.people.isEmpty)
    let full = try #require(try await magic.query(Desk.self).order(by: \.$name).first()).values
    try await magic.apply(full, to: desk)
    #expect(try await desk.summary == stored(magic))
    let cleared = try await bareDesk(magic)
    let other = try #require(try await magic.query(Desk.self).where(\.$name == "b").first())
    try await magic.apply(other.values.omitting(\.$id), to: cleared)
    #expect(cleared.$owner.isSet && cleared.owner == nil && cleared.people.isEmpty)
  }

  @Test(.requires(.queries)) func draftsKeepItExcluded() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let desk = try await bareDesk(magic)
    let draft = try await magic.draft(of: desk)
    draft.object.name = "aa"
    try await magic.commit(draft)
    #expect(desk.name == "aa")
    #expect(try await stored(magic) == ["aa"] + before.dropFirst())
  }

  @Test(.requires(.queries)) func sessionsAndMergesKeepWhatIsStored() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let desk = try await bareDesk(magic)
    let session = magic.session()
    desk.width = 7
    session.add(desk)
    try await session.commit()
    desk.note = "n"
    try await magic.merge(desk)
    let after = try await stored(magic)
    #expect(after[1] == "7.0" && after[4] == "n" && after[5...] == before[5...])
  }

  @Test(.requires(.queries)) func aNewRowNeedsTheValue() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    try await magic.remove(desk)
    desk.lazyPeople.set([])
    #expect(await code { try await magic.update(desk) } == .missingValue)
    #expect(try await magic.query(Desk.self).count() == 1)
    desk.people = []
    desk.group = []
    desk.byShirt = [:]
    // The row of the owner is known.
    try await magic.update(desk)
    #expect(try await stored(magic)[5] == "Ann")

    let other = try await MagicData.onTestedEngine(path: scratch.file("other"))
    let foreign = try #require(
      try await magic.query(Desk.self).order(by: \.$name).excluding(\.$owner).first())
    foreign.lazyPeople.set([])
    #expect(await code { try await other.update(foreign) } == .missingValue)
    #expect(foreign.isSaved)
    foreign.owner = nil
    try await other.update(foreign)
    #expect(try await other.query(Desk.self).count() == 1)
  }

  @Test(.requires(.queries)) func requiredToOnesAndOwnedListsAreExcluded() async throws {
    let magic = try await open()
    let ann = try await magic.query(Player.self).where(\.$name == "Ann").all()[0]
    let chair = Chair("red", ann)
    chair.parts = [Part("leg"), Part("seat")]
    try await magic.update(chair)
    let bare = try #require(
      try await magic.query(Chair.self).excluding(\.$player).excluding(\.$parts).first())
    #expect(!bare.$player.isSet && !bare.$parts.isSet)
    bare.color = "blue"
    try await magic.update(bare)
    let same = try #require(try await magic.query(Chair.self).first())
    #expect(same.color == "blue" && same.player.name == "Ann" && same.parts.count == 2)
    bare.parts = [Part("back")]
    try await magic.update(bare)
    #expect(try await magic.query(Chair.self).first()?.parts.map(\.name) == ["back"])
    // The deletion of the target is refused, as for an object that has loaded it.
    #expect(await code { try await magic.remove(ann) } == .stillReferenced)
  }

  @Test(.requires(.queries)) func removedTargetsLeaveTheRelationship() async throws {
    let magic = try await open()
    let desk = try await bareDesk(magic)
    let full = try #require(try await magic.query(Desk.self).order(by: \.$name).first())
    try await magic.remove(try #require(full.owner))
    try await magic.remove(full.people[0])
    desk.name = "aa"
    try await magic.update(desk)
    try await magic.refresh(desk)
    #expect(desk.owner == nil && desk.people.map(\.name) == ["Cid"])
  }

  @Test(.requires(.queries)) func onlyTheFoundObjectsOfACyclicTypeExclude() async throws {
    let magic = try await open()
    let root = Branch("root", [Branch("left", [Branch("leaf")]), Branch("right")])
    for child in root.children { child.parent = root }
    try await magic.update(root)
    let query = magic.query(Branch.self).where(\.$name == "root")
    let bare = try #require(try await query.excluding(\.$children).first())
    #expect(!bare.$children.isSet && bare.parent == nil)
    let left = try #require(
      try await magic.query(Branch.self).where(\.$name == "left").excluding(\.$children).first())
    #expect(!left.$children.isSet)
    // The parent has all its relationships, and its member is the found instance.
    #expect(left.parent?.children.map(\.name) == ["left", "right"])
    #expect(left.parent?.children[0].$children.isSet == false)
    // Saving the parent visits the row without its members.
    left.parent?.name = "top"
    try await magic.update(try #require(left.parent))
    left.parent?.name = "root"
    left.parent?.children.reverse()
    try await magic.update(left)
    let leaves = try await magic.query(Branch.self).where(\.$name == "left").all()
    #expect(leaves[0].children.map(\.name) == ["leaf"])
    #expect(leaves[0].parent?.children.map(\.name) == ["right", "left"])
    let upwards = try #require(
      try await magic.query(Branch.self).where(\.$name == "left").excluding(\.$parent).first())
    #expect(!upwards.$parent.isSet && upwards.children.map(\.name) == ["leaf"])
    try await magic.refresh(upwards)
    #expect(upwards.parent?.name == "root")
    upwards.name = "l"
    try await magic.update(upwards)
    try await magic.refresh(bare)
    #expect(bare.children.map(\.name) == ["right", "l"])
  }

  @Test func nestedKeyPathsAreRefused() async throws {
    let magic = try await open()
    let query = magic.query(Desk.self).excluding(\.$owner.$team)
    #expect(await code { _ = try await query.all() } == .invalidQuery)
  }

  @Test(.requires(.queries)) func valuesIgnoreChangesOfExcludedRelationships() async throws {
    let magic = try await open()
    var iterator = bare(magic).values().makeAsyncIterator()
    #expect(try await iterator.next()?.count == 2)
    let players = try await magic.query(Player.self).all()
    for player in players { player.name += "!" }
    try await magic.update(contentsOf: players)
    let desk = try await bareDesk(magic)
    desk.people = []
    desk.name = "changed"
    try await magic.update(desk)
    #expect(try await iterator.next()?.map(\.name) == ["b", "changed"])
  }

  @Test func readingItEndsTheProcess() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let magic = try await MagicData(type: .memory)
      try await magic.update(Branch("root"))
      _ = try await magic.query(Branch.self).excluding(\.$children).all()[0].children
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Branch.children was read, but the query of the object excludes it"))
  }

  @Test func readingAnOptionalOneOrChangingItInPlaceEndsTheProcess() async throws {
    let optional = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let magic = try await MagicData(type: .memory)
      let branch = Branch("leaf")
      branch.parent = Branch("root")
      try await magic.update(branch)
      let found = try await magic.query(Branch.self).excluding(\.$parent).all()
      _ = found.first { $0.name == "leaf" }?.parent
    }
    let text = String(decoding: optional?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Branch.parent was read"))
    let inPlace = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let magic = try await MagicData(type: .memory)
      try await magic.update(Branch("root"))
      let found = try await magic.query(Branch.self).excluding(\.$children).all()[0]
      found.children.append(Branch("x"))
    }
    let other = String(decoding: inPlace?.standardErrorContent ?? [], as: UTF8.self)
    #expect(other.contains("Branch.children was read"))
  }
}
