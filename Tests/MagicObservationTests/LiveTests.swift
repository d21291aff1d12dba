import EngineConformance
import MagicData
import MagicStore
import MagicTestSupport
import Observation
import Testing

struct LiveHuman: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var pets: [LivePet] = []

  init() {}

  init(_ name: String, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

struct LivePet: MagicObject {
  @MagicValue var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

struct LiveUnkeyed: MagicObject {
  @MagicValue var name: String = ""

  init() {}
}

struct LiveWeak<Object: AnyObject> {
  weak var object: Object?
}

@MainActor
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct LiveQueryTests {
  private func opened() async throws -> MagicData {
    try await MagicData.onTestedEngine(type: .temporary)
  }

  @Test(.requires(.queries)) func resultsArePublishedAndUpdated() async throws {
    let magic = try await opened()
    let live = MagicLiveQuery(magic.query(LiveHuman.self).where(\.$age >= 18).order(by: \.$name))
    #expect(live.isLoading && live.results.isEmpty && live.error == nil)
    #expect(await eventually { !live.isLoading })
    #expect(live.results.isEmpty && live.error == nil)
    try await magic.update(contentsOf: [
      LiveHuman("Bob", age: 20), LiveHuman("Ada", age: 30), LiveHuman("Kid"),
    ])
    #expect(await eventually { live.results.map(\.name) == ["Ada", "Bob"] })
    try await magic.query(LiveHuman.self).update(set: \.$age, to: 18)
    #expect(await eventually { live.results.map(\.name) == ["Ada", "Bob", "Kid"] })
  }

  @Test(.requires(.queries)) func anObserverIsNotifiedOfChangedResults() async throws {
    let magic = try await opened()
    let live = MagicLiveQuery(magic.query(LiveHuman.self))
    #expect(await eventually { !live.isLoading })
    await confirmation { notified in
      withObservationTracking {
        _ = live.results
      } onChange: {
        notified()
      }
      _ = try? await magic.update(LiveHuman("Ada"))
      #expect(await eventually { live.results.count == 1 })
    }
  }

  @Test(.requires(.queries)) func anEqualResultIsNotSetAgain() async throws {
    let magic = try await opened()
    try await magic.update(LiveHuman("Ada", age: 1))
    let live = MagicLiveQuery(magic.query(LiveHuman.self).where(\.$name == "Ada"))
    #expect(await eventually { live.results.count == 1 })
    await confirmation(expectedCount: 0) { notified in
      withObservationTracking {
        _ = live.results
      } onChange: {
        notified()
      }
      // Another row, and the same row fetched again.
      _ = try? await magic.update(LiveHuman("Bob"))
      live.reload()
      #expect(live.isLoading)
      #expect(await eventually { !live.isLoading })
    }
    try await magic.query(LiveHuman.self).update(set: \.$age, to: 2)
    #expect(await eventually { live.results.map(\.age) == [2] })
  }

  @Test(.requires(.queries)) func anotherQueryReplacesTheFirst() async throws {
    let magic = try await opened()
    try await magic.update(contentsOf: [LiveHuman("Ada", age: 30), LiveHuman("Kid", age: 3)])
    let live = MagicLiveQuery(magic.query(LiveHuman.self).where(\.$age > 18))
    #expect(await eventually { live.results.count == 1 })
    live.setQuery(magic.query(LiveHuman.self).where(\.$age <= 18))
    #expect(live.isLoading && live.results.map(\.name) == ["Ada"])
    #expect(await eventually { !live.isLoading })
    #expect(live.results.map(\.name) == ["Kid"])
    #expect(await eventually { magic.store.observerCount == 1 })
    try await magic.update(LiveHuman("Eve", age: 40))
    try await magic.update(LiveHuman("Tot", age: 1))
    #expect(await eventually { live.results.map(\.name) == ["Kid", "Tot"] })
  }

  @Test(.requires(.queries)) func onlyTheLastOfManyQueriesPublishesResults() async throws {
    let magic = try await opened()
    try await magic.update(contentsOf: (0..<20).map { LiveHuman("\($0)", age: $0) })
    let live = MagicLiveQuery(magic.query(LiveHuman.self))
    for age in 0..<20 {
      live.setQuery(magic.query(LiveHuman.self).where(\.$age == age))
      if age % 3 == 0 { await Task.yield() }
    }
    #expect(await eventually { !live.isLoading })
    #expect(live.results.map(\.age) == [19])
    #expect(await eventually { magic.store.observerCount == 1 })
  }

  @Test(.requires(.rawSQL)) func afterAnErrorItStartsAgain() async throws {
    let magic = try await opened()
    try await magic.update(LiveHuman("Ada", age: 3))
    let live = MagicLiveQuery(magic.query(LiveHuman.self))
    #expect(await eventually { live.results.count == 1 })
    try await magic.sql("UPDATE LiveHuman SET age = 'none'").run()
    #expect(await eventually { live.error != nil })
    #expect((live.error as? MagicError)?.code == .cannotDecode)
    #expect(live.results.count == 1 && !live.isLoading)
    try await magic.query(LiveHuman.self).update(set: \.$age, to: 4)
    live.reload()
    #expect(live.isLoading && live.error == nil)
    #expect(await eventually { live.results.map(\.age) == [4] })
    #expect(live.error == nil && !live.isLoading)
  }

  @Test(.requires(.queries)) func theLastResultsRemainWhenTheDatabaseIsClosed() async throws {
    let magic = try await opened()
    try await magic.update(LiveHuman("Ada"))
    let live = MagicLiveQuery(magic.query(LiveHuman.self))
    #expect(await eventually { live.results.count == 1 })
    await magic.close()
    #expect(await eventually { magic.store.observerCount == 0 })
    #expect(live.results.count == 1 && live.error == nil && !live.isLoading)
    live.reload()
    #expect(await eventually { live.error != nil })
    #expect((live.error as? MagicError)?.code == .closed)
    #expect(live.results.count == 1 && !live.isLoading)
  }

  @Test(.requires(.queries)) func itsWorkEndsWithIt() async throws {
    var magic: MagicData? = try await opened()
    let handle = LiveWeak(object: magic)
    let store = try #require(magic?.store)
    weak var gone: MagicLiveQuery<LiveHuman>?
    do {
      let live = MagicLiveQuery(try #require(magic).query(LiveHuman.self))
      gone = live
      #expect(await eventually { !live.isLoading })
      #expect(store.observerCount == 1)
    }
    #expect(gone == nil)
    #expect(await eventually { store.observerCount == 0 })
    magic = nil
    #expect(await eventually { handle.object == nil })
  }

  @Test(.requires(.queries)) func aLiveQueryThatIsReleasedImmediatelyLeavesNothing() async throws {
    let magic = try await opened()
    for _ in 0..<50 {
      _ = MagicLiveQuery(magic.query(LiveHuman.self))
      _ = MagicLiveObject(of: LiveHuman.self, primary: 1, in: magic)
    }
    #expect(await eventually { magic.store.observerCount == 0 })
  }

  @Test(.requires(.queries)) func itKeepsTheDatabaseOpen() async throws {
    var magic: MagicData? = try await opened()
    let live = MagicLiveQuery(try #require(magic).query(LiveHuman.self))
    let handle = LiveWeak(object: magic)
    magic = nil
    #expect(await eventually { !live.isLoading })
    try await handle.object?.update(LiveHuman("Ada"))
    #expect(await eventually { live.results.count == 1 })
  }
}

@MainActor
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct LiveObjectTests {
  @Test(.requires(.queries)) func theObjectWithAPrimaryIsInsertedUpdatedAndDeleted() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let live = MagicLiveObject(of: LiveHuman.self, primary: 1, in: magic)
    #expect(live.isLoading)
    #expect(await eventually { !live.isLoading })
    #expect(live.object == nil && live.error == nil)
    let ada = LiveHuman("Ada")
    try await magic.update(contentsOf: [ada, LiveHuman("Bob")])
    #expect(await eventually { live.object?.name == "Ada" })
    ada.pets = [LivePet("Rex")]
    try await magic.update(ada)
    #expect(await eventually { live.object?.pets.map(\.name) == ["Rex"] })
    ada.pets[0].name = "Max"
    try await magic.update(ada.pets[0])
    #expect(await eventually { live.object?.pets.map(\.name) == ["Max"] })
    try await magic.remove(ada)
    #expect(await eventually { live.object == nil })
    #expect(live.error == nil)
  }

  @Test(.requires(.queries)) func anInstanceIsIndependentOfThePreviousOne() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let ada = LiveHuman("Ada")
    let zIndex = try await magic.update(ada)
    let live = MagicLiveObject(of: LiveHuman.self, zIndex: zIndex, in: magic)
    #expect(await eventually { live.object != nil })
    let first = try #require(live.object)
    ada.age = 30
    try await magic.update(ada)
    #expect(await eventually { live.object?.age == 30 })
    #expect(first.age == 0)
  }

  @Test(.requires(.queries)) func anObjectIdentifiesItsRow() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let object = LiveUnkeyed()
    try await magic.update(contentsOf: [LiveUnkeyed(), object])
    let live = MagicLiveObject(object, in: magic)
    #expect(await eventually { live.object?.zIndex == object.zIndex })
    try await magic.query(LiveUnkeyed.self).update(set: \.$name, to: "x")
    #expect(await eventually { live.object?.name == "x" })
    try await magic.remove(object)
    #expect(await eventually { live.object == nil })
  }

  @Test(.requires(.queries)) func aValueThatIdentifiesNoObjectIsAnError() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(LiveUnkeyed())
    let unsaved = MagicLiveObject(LiveUnkeyed(), in: magic)
    let unkeyed = MagicLiveObject(of: LiveUnkeyed.self, primary: 1, in: magic)
    let other = MagicLiveObject(of: LiveHuman.self, primary: "one", in: magic)
    #expect(await eventually { unsaved.error != nil && unkeyed.error != nil && other.error != nil })
    #expect((unsaved.error as? MagicError)?.code == .notSaved)
    #expect((unkeyed.error as? MagicError)?.code == .missingPrimary)
    #expect((other.error as? MagicError)?.code == .wrongType)
    #expect(!unsaved.isLoading && unsaved.object == nil)
  }

  @Test func itsWorkEndsWithIt() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    weak var gone: MagicLiveObject<LiveHuman>?
    do {
      let live = MagicLiveObject(of: LiveHuman.self, primary: 1, in: magic)
      gone = live
      #expect(await eventually { !live.isLoading })
    }
    #expect(gone == nil)
    #expect(await eventually { magic.store.observerCount == 0 })
  }
}
