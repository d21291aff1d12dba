import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

@Suite(.everyEngine) struct EqualityTests {
  let scratch = Scratch()

  @Test func anUnsavedObjectEqualsItsCopiesAlone() {
    let ann = Player("Ann")
    let copy = ann
    copy.name = "Anna"
    #expect(ann == copy)
    #expect(ann.hashValue == copy.hashValue)
    #expect(ann != Player("Anna"))
    let page = Page()
    #expect(page == page)
    #expect(page != Page())
    #expect(Set([ann, copy, Player("Anna")]).count == 2)
  }

  @Test func objectsOfOneRowWithDifferentValuesAreEqual() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    let page = Page()
    try await magic.update(contentsOf: [ann, Player("Bob")])
    try await magic.update(page)
    let all = try await magic.object(of: Player.self)
    all[0].name = "Other"
    #expect(all[0] == ann)
    #expect(all[1] != ann)
    #expect(Set(all).contains(ann))
    #expect(Dictionary(grouping: all + [ann]) { $0 }.count == 2)
    let again = try await magic.object(of: Page.self)
    #expect(again[0] !== page)
    #expect(again[0] == page)
    #expect(Set(again).contains(page))
  }

  @Test func rowsOfTwoDatabasesDiffer() async throws {
    let first = try await MagicData.onTestedEngine(path: scratch.file())
    let second = try await MagicData.onTestedEngine(path: scratch.file("second"))
    let (ann, bob) = (Player("Ann"), Player("Bob"))
    try await first.update(ann)
    try await second.update(bob)
    #expect(ann.zIndex == bob.zIndex)
    #expect(ann != bob)
  }

  @Test func savingAndRemovingChangeTheIdentity() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    let copy = ann
    let before = ann.hashValue
    try await magic.update(ann)
    #expect(ann == copy)
    #expect(ann.hashValue == copy.hashValue)
    #expect(ann.hashValue != before)
    let fetched = try await magic.object(of: Player.self)[0]
    #expect(fetched == ann)
    try await magic.remove(ann)
    #expect(fetched != ann)
    #expect(ann == copy)
  }

  @Test(.requires(.queries)) func queriesCompareHashableObjects() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ann, bob, reds) = (Player("Ann"), Player("Bob"), Team("Reds"))
    ann.team = reds
    try await magic.update(contentsOf: [ann, bob])
    #expect(try await magic.query(Player.self).where(\.$team == reds).all() == [ann])
    #expect(try await magic.query(Player.self).where { $0.$team == nil }.all() == [bob])
    #expect(try await magic.object(of: Player.self).where { $0 == bob }.name == "Bob")
  }

  @Test(.requires(.queries)) func aStreamReportsAChangeOfAnObjectThatRemainsEqual() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    try await magic.update(ann)
    var results = magic.query(Player.self).values().makeAsyncIterator()
    #expect(try await results.next()?.map(\.name) == ["Ann"])
    ann.name = "Anna"
    try await magic.update(ann)
    #expect(try await results.next()?.map(\.name) == ["Anna"])
  }

  @Test func aMagicalSetFindsAnElementThatWasSavedLater() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    let set: MagicalSet = [ann]
    try await magic.update(ann)
    #expect(set.contains(ann))
    #expect(set.contains(try await magic.object(of: Player.self)[0]))
    #expect(Set([ann]).contains(ann))
  }
}
