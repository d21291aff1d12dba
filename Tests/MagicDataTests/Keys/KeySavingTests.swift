import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Saves of new objects whose keys are stored.
@Suite(.everyEngine) struct KeySavingTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func expectNotUnique(_ body: () async throws -> Void) async {
    let error = await #expect(throws: MagicError.self) { try await body() }
    #expect(error?.code == .notUnique, "\(error as Any)")
  }

  @Test func aNewObjectUpdatesTheRowWithItsKey() async throws {
    let magic = try await open()
    let ada = Subscriber("Ada")
    let first = try await magic.update(Subscription(ada, "news"))
    let other = try await magic.update(Subscription(ada, "art"))
    let again = Subscription(ada, "news", isMuted: true)
    #expect(try await magic.update(again) == first && again.zIndex == first)
    #expect(first != other && again.isSaved && !again.hasChanges)
    let stored = try await magic.object(of: Subscription.self)
    #expect(stored.map(\.feed) == ["news", "art"] && stored.map(\.isMuted) == [true, false])
    again.isMuted = false
    try await magic.update(again)
    #expect(try await !magic.object(of: Subscription.self, key: ada, "news").isMuted)
  }

  @Test func aTypeWithoutRelationshipsIsFoundByItsKeyToo() async throws {
    let magic = try await open()
    let first = try await magic.update(Act("a", 1, "x"))
    let again = Act("a", 1, "y")
    #expect(try await magic.update(again) == first)
    #expect(try await magic.object(of: Act.self).map(\.title) == ["y"])
  }

  @Test func aNewObjectIsFoundByTheKeyOfANewToOne() async throws {
    let magic = try await open()
    try await magic.update(Subscription(Subscriber("Ada"), "news"))
    // The primary of the new subscriber is stored, so its row is the key's.
    try await magic.update(Subscription(Subscriber("Ada"), "news", isMuted: true))
    try await magic.update(Subscription(Subscriber("Bob"), "news"))
    let stored = try await magic.object(of: Subscription.self)
    #expect(stored.map(\.user.name) == ["Ada", "Bob"] && stored.map(\.isMuted) == [true, false])
  }

  @Test func twoNewObjectsWithOneKeyAreOneRow() async throws {
    let magic = try await open()
    let acts = [Act("a", 1, "x"), Act("b", 1, "y"), Act("a", 1, "z")]
    let zIndexes = try await magic.update(contentsOf: acts)
    #expect(zIndexes[0] == zIndexes[2] && zIndexes[0] != zIndexes[1])
    #expect(try await magic.object(of: Act.self).map(\.title) == ["z", "y"])
    let ada = Subscriber("Ada")
    try await magic.update(
      contentsOf: [Subscription(ada, "news"), Subscription(ada, "news", isMuted: true)])
    #expect(try await magic.object(of: Subscription.self).map(\.isMuted) == [true])
    try await magic.update(Act("c", 1, "first"), ada, Act("c", 1, "second"))
    #expect(try await magic.object(of: Act.self, key: "c", 1).title == "second")
  }

  @Test func manyNewObjectsAreSaved() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: (0..<300).map { Act("a", $0, "old") })
    try await magic.update(contentsOf: (200..<500).map { Act("a", $0, "new") })
    let acts = try await magic.object(of: Act.self)
    #expect(acts.map(\.hour) == Array(0..<500))
    #expect(acts.map(\.title) == (0..<500).map { $0 < 200 ? "old" : "new" })
  }

  @Test func changingTheKeyOfASavedObjectToATakenOneIsRefused() async throws {
    let magic = try await open()
    let act = Act("a", 1)
    try await magic.update(contentsOf: [act, Act("b", 1)])
    act.artist = "b"
    await expectNotUnique { try await magic.update(act) }
    act.artist = "c"
    try await magic.update(act)
    #expect(try await magic.object(of: Act.self).map(\.artist) == ["c", "b"])
  }

  @Test func aFailedSaveLeavesTheObjectUnsaved() async throws {
    let magic = try await open()
    try await magic.update(Invite(1, "Ada", "yes", id: "x"))
    let again = Invite(1, "Ada", "no")
    await #expect(throws: CancellationError.self) {
      try await magic.transaction { transaction in
        try transaction.update(again)
        #expect(again.id == "x")
        throw CancellationError()
      }
    }
    #expect(again.zIndex == nil && again.id != "x" && again.version == 0 && again.hasChanges)
    #expect(try await magic.object(of: Invite.self).map(\.answer) == ["yes"])
  }

  // MARK: A primary and a key

  @Test func theObjectGetsTheStoredPrimary() async throws {
    let magic = try await open()
    let first = Invite(1, "Ada", "yes")
    try await magic.update(first)
    let again = Invite(1, "Ada", "no")
    #expect(try await magic.update(again) == first.zIndex)
    #expect(again.id == first.id && again.version == 2)
    let stored = try await magic.object(of: Invite.self)
    #expect(stored.map(\.answer) == ["no"] && stored.map(\.id) == [first.id])
  }

  @Test func aRowWithThePrimaryGetsANewKey() async throws {
    let magic = try await open()
    let first = try await magic.update(Invite(1, "Ada", "yes", id: "x"))
    #expect(try await magic.update(Invite(2, "Bob", "no", id: "x")) == first)
    #expect(try await magic.object(of: Invite.self, key: 2, "Bob").answer == "no")
    #expect(try await !magic.has(of: Invite.self, key: 1, "Ada"))
    #expect(try await magic.update(Invite(2, "Bob", "maybe", id: "x")) == first)
  }

  @Test func aPrimaryAndAKeyOfTwoRowsAreRefused() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Invite(1, "Ada", id: "x"), Invite(2, "Bob", id: "y")])
    let both = Invite(2, "Bob", "new", id: "x")
    await expectNotUnique { try await magic.update(both) }
    #expect(both.zIndex == nil && both.id == "x")
    #expect(try await magic.object(of: Invite.self).map(\.answer) == ["", ""])
  }

  // MARK: Inserting

  @Test func anObjectWhoseKeyIsStoredIsNotInserted() async throws {
    let magic = try await open()
    let ada = Subscriber("Ada")
    try await magic.update(Subscription(ada, "news"))
    await expectNotUnique { try await magic.insert(Subscription(ada, "news")) }
    await expectNotUnique { try await magic.insert(contentsOf: [Act("a", 1), Act("a", 1)]) }
    let ignored = Subscription(ada, "news", isMuted: true)
    #expect(try await magic.insert(ignored, orIgnore: true) == nil && ignored.zIndex == nil)
    let some = [Act("a", 1, "x"), Act("a", 1, "y"), Act("b", 1, "z")]
    let zIndexes = try await magic.insert(contentsOf: some, orIgnore: true)
    #expect(zIndexes.map { $0 == nil } == [false, true, false])
    #expect(try await magic.object(of: Act.self).map(\.title) == ["x", "z"])
    #expect(try await magic.object(of: Subscription.self).map(\.isMuted) == [false])
  }

  @Test func updatesCanMatchTheKey() async throws {
    let magic = try await open()
    let ada = Subscriber("Ada")
    let first = try await magic.update(Subscription(ada, "news"))
    let again = Subscription(ada, "news", isMuted: true)
    #expect(try await magic.update(again, matching: \.$feed, \.$user) == first)
  }

  @Test func aSessionInsertsOrUpdatesByKey() async throws {
    let magic = try await open()
    try await magic.update(Act("a", 1, "x"))
    let session = magic.session()
    session.add(Act("a", 1, "y"))
    await expectNotUnique { try await session.commit() }
    let other = magic.session()
    other.add(Act("a", 1, "z"), upsert: true)
    try await other.commit()
    #expect(try await magic.object(of: Act.self).map(\.title) == ["z"])
  }

  // MARK: Objects that other objects refer to

  @Test func aReferredObjectUpdatesTheRowWithItsKey() async throws {
    let magic = try await open()
    let root = Folder("root", size: 1)
    let first = try await magic.update(root)
    let child = Folder("child")
    child.parent = Folder("root", size: 2)
    try await magic.update(child)
    #expect(child.parent?.zIndex == first)
    let owner = Folder("owner")
    owner.children = [Folder("root", size: 3), Folder("new"), Folder("child", size: 4)]
    try await magic.update(owner)
    let stored = try await magic.object(of: Folder.self)
    #expect(stored.map(\.name) == ["root", "child", "owner", "new"])
    #expect(stored.map(\.size) == [3, 4, 0, 0])
    #expect(stored[2].children.map(\.name) == ["root", "new", "child"])
  }

  @Test func objectsOfACycleUpdateTheRowsWithTheirKeys() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Folder("a", size: 1), Folder("b", size: 1)])
    let (a, b, c) = (Folder("a", size: 2), Folder("b", size: 2), Folder("c", size: 2))
    (a.parent, b.parent, c.parent) = (b, c, a)
    try await magic.update(a)
    let stored = try await magic.object(of: Folder.self)
    #expect(stored.map(\.name) == ["a", "b", "c"] && stored.map(\.size) == [2, 2, 2])
    #expect(stored.map { $0.parent?.name } == ["b", "c", "a"])
    let me = Folder("a", size: 3)
    me.parent = me
    try await magic.update(me)
    let again = try await magic.object(of: Folder.self, key: "a", 0)
    #expect(again.parent?.name == "a" && again.size == 3)
    #expect(try await magic.object(of: Folder.self).count == 3)
  }

  @Test func membersOfAnOwnedListUpdateTheRowsWithTheirKeys() async throws {
    let magic = try await open()
    let old = Playbill()
    old.acts = [Act("a", 1, "old"), Act("b", 1, "old")]
    try await magic.update(old)
    let new = Playbill()
    new.acts = [Act("c", 1, "new"), Act("b", 1, "new"), Act("d", 1, "new")]
    try await magic.update(new)
    let bills = try await magic.object(of: Playbill.self)
    #expect(
      bills.map { $0.acts.map { $0.artist + $0.title } } == [["aold"], ["cnew", "bnew", "dnew"]])
    #expect(try await magic.object(of: Act.self).count == 4)
  }
}
