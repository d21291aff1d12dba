import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Versions of objects with relationships.
@Suite(.everyEngine) struct VersionGraphTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func crate(_ magic: MagicData) async throws -> Crate {
    try await magic.object(of: Crate.self)[0]
  }

  private func makeCrate(_ magic: MagicData) async throws -> Crate {
    let crate = Crate("c")
    crate.list = [Fruit("apple")]
    crate.group = [Fruit("pear")]
    crate.named = ["f": Fruit("fig")]
    crate.stickers = [Sticker("s")]
    try await magic.update(crate)
    return crate
  }

  @Test func aSaveInsertsAllObjectsWithVersion1() async throws {
    let magic = try await open()
    let crate = try await makeCrate(magic)
    #expect(crate.version == 1 && crate.list[0].version == 1 && crate.stickers[0].version == 1)
    let fetched = try await self.crate(magic)
    #expect(fetched.version == 1 && fetched.named["f"]?.version == 1)
  }

  @Test func aChangeOfACollectionIncrementsTheVersionOfItsOwner() async throws {
    let magic = try await open()
    _ = try await makeCrate(magic)
    let changes: [@Sendable (Crate) -> Void] = [
      { $0.list.append(Fruit("plum")) }, { $0.group.insert(Fruit("kiwi")) },
      { $0.named["l"] = Fruit("lime") }, { $0.stickers.append(Sticker("t")) },
      { $0.best = Fruit("date") }, { $0.list.removeAll() },
    ]
    for (index, change) in changes.enumerated() {
      let (first, second) = (try await crate(magic), try await crate(magic))
      change(first)
      change(second)
      try await magic.update(first)
      #expect(first.version == index + 2)
      #expect(await conflict { try await magic.update(second) }?.storedVersion == index + 2)
      #expect(second.version == index + 1)
    }
    let members = try await magic.object(of: Fruit.self)
    #expect(members.allSatisfy { $0.version == 1 } && members.count == 7)
    #expect(try await crate(magic).stickers.map(\.version) == [1, 1])
  }

  @Test func aChangeOfAMemberIncrementsOnlyTheVersionOfTheMember() async throws {
    let magic = try await open()
    let crate = try await makeCrate(magic)
    crate.list[0].weight = 5
    try await magic.update(crate.list[0])
    #expect(crate.version == 1 && crate.list[0].version == 2)
    let other = try await self.crate(magic)
    other.list[0].weight = 6
    try await magic.update(other.list[0])
    #expect(try await self.crate(magic).version == 1)
  }

  @Test func anOutdatedMemberMakesTheSaveOfItsOwnerFail() async throws {
    let magic = try await open()
    _ = try await makeCrate(magic)
    let (first, second) = (try await crate(magic), try await crate(magic))
    first.list[0].weight = 2
    try await magic.update(first.list[0])
    second.label = "new"
    second.list[0].weight = 3
    second.list.append(Fruit("plum"))
    let error = await #expect(throws: MagicError.self) { try await magic.update(second) }
    #expect(error?.code == .conflict && error?.type == "Fruit")
    #expect(second.version == 1 && second.list.map(\.version) == [1, 0])
    let stored = try await crate(magic)
    #expect(stored.label == "c" && stored.list.count == 1 && stored.version == 1)
  }

  @Test func anInverseRelationshipIsNoChangeOfItsObject() async throws {
    let magic = try await open()
    let crate = try await makeCrate(magic)
    let apple = crate.list[0]
    let other = Crate("d")
    other.list = [apple]
    try await magic.update(other)
    #expect(try await apple.crates.count == 2)
    #expect(try await magic.object(of: Fruit.self, primary: "apple").version == 1)
    #expect(crate.version == 1 && other.version == 1)
  }

  @Test func objectsOfACycleBeginWithVersion1AndAreCheckedOnce() async throws {
    let magic = try await open()
    let (first, second) = (Crate("a"), Crate("b"))
    first.next = second
    second.next = first
    try await magic.update(first)
    #expect(first.version == 1 && second.version == 1)
    first.label = "a2"
    second.label = "b2"
    try await magic.update(second)
    #expect(first.version == 2 && second.version == 2)
    #expect(try await magic.object(of: Crate.self).map(\.version) == [2, 2])
    first.next = nil
    second.next = nil
    try await magic.update(contentsOf: [first, second])
  }

  @Test func anUpsertOfAnOwnerIncrementsItsVersion() async throws {
    let magic = try await open()
    let old = try await makeCrate(magic)
    let new = Crate("n")
    new.id = old.id
    new.list = [Fruit("apple")]
    try await magic.update(new)
    #expect(new.version == 2 && new.list[0].version == 2)
    old.label = "o"
    #expect(await conflict { try await magic.update(old) }?.storedVersion == 2)
    let stored = try await crate(magic)
    #expect(stored.label == "n" && stored.version == 2 && stored.list.map(\.name) == ["apple"])
  }

  @Test func membersThatReferToTheirNewOwnerHaveVersions() async throws {
    let magic = try await open()
    let (first, second) = (Crate("a"), Crate("b"))
    (first.id, second.id) = (1, 2)
    try await magic.update(contentsOf: [first, second])
    let (newFirst, newSecond) = (Crate("x"), Crate("y"))
    (newFirst.id, newSecond.id) = (1, 2)
    (newFirst.next, newSecond.next) = (newSecond, newFirst)
    try await magic.update(newFirst)
    #expect(newFirst.version == 2 && newSecond.version == 2)
    #expect(try await magic.object(of: Crate.self).map(\.version) == [2, 2])
    newFirst.label = "z"
    try await magic.update(newFirst)
    #expect(newFirst.version == 3)
    newFirst.next = nil
  }

  @Test func aRemovedMemberLeavesTheVersionOfItsOwner() async throws {
    let magic = try await open()
    let crate = try await makeCrate(magic)
    crate.best = Fruit("best")
    try await magic.update(crate)
    let best = try #require(crate.best)
    try await magic.remove(best)
    let stored = try await self.crate(magic)
    #expect(stored.best == nil && stored.version == 2)
    stored.label = "after"
    try await magic.update(stored)
    #expect(stored.version == 3)
  }
}
