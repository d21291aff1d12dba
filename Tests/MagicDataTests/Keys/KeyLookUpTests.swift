import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Lookups of objects by their keys.
@Suite(.everyEngine) struct KeyLookUpTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func expect(
    _ code: MagicError.Code, property: String? = nil, _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: MagicError.self) { try await body() }
    #expect(error?.code == code && error?.property == property, "\(error as Any)")
  }

  @Test func anObjectIsFoundByItsKey() async throws {
    let magic = try await open()
    let (ada, bob) = (Subscriber("Ada"), Subscriber("Bob"))
    try await magic.update(contentsOf: [Subscription(ada, "news"), Subscription(bob, "news")])
    let found = try await magic.object(of: Subscription.self, key: bob, "news")
    #expect(found.user.name == "Bob" && found.feed == "news")
    let zIndex = try #require(ada.zIndex)
    #expect(
      try await magic.object(of: Subscription.self, key: zIndex, "news").user.name == "Ada")
    #expect(try await magic.has(of: Subscription.self, key: ada, "news"))
    #expect(try await !magic.has(of: Subscription.self, key: ada, "art"))
    #expect(try await !magic.has(of: Subscription.self, key: ZIndex(rawValue: 99), "news"))
    await expect(.notFound) { _ = try await magic.object(of: Subscription.self, key: ada, "art") }
  }

  @Test func theValuesAreInTheOrderOfTheDeclaration() async throws {
    let magic = try await open()
    let stop = UUID()
    try await magic.update(Departure("U1", 7, stop, delay: 3))
    #expect(
      try await magic.object(of: Departure.self, key: "U1", 7 as Int32, stop).delay == 3)
    // The type of a literal is Int.
    #expect(try await magic.has(of: Departure.self, key: "U1", 7, stop))
    #expect(try await !magic.has(of: Departure.self, key: "U1", 1 << 40, stop))
    await expect(.wrongType, property: "line") {
      _ = try await magic.has(of: Departure.self, key: stop, 7, "U1")
    }
    await expect(.wrongType, property: "day") {
      _ = try await magic.object(of: Departure.self, key: "U1", "7", stop)
    }
    await expect(.wrongType, property: "stop") {
      _ = try await magic.object(of: Departure.self, keys: [("U1", 7, "x")])
    }
  }

  @Test func aWrongNumberOfValuesIsRefused() async throws {
    let magic = try await open()
    let ada = Subscriber("Ada")
    try await magic.update(ada)
    await expect(.invalidQuery) { _ = try await magic.object(of: Subscription.self, key: ada) }
    await expect(.invalidQuery) {
      _ = try await magic.has(of: Subscription.self, key: ada, "news", 3)
    }
    await expect(.invalidQuery) { _ = try await magic.has(of: Subscriber.self, key: "Ada", 1) }
    await expect(.invalidQuery) {
      _ = try await magic.object(of: Subscriber.self, keys: [("Ada", 1)])
    }
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Subscription.self, key: ada)
    }
    #expect(error?.message.contains("user, feed") == true)
  }

  @Test func aToOneIsAnObjectOfItsTypeOrARowID() async throws {
    let magic = try await open()
    await expect(.wrongType, property: "user") {
      _ = try await magic.has(of: Subscription.self, key: "Ada", "news")
    }
    await expect(.wrongType, property: "user") {
      _ = try await magic.has(of: Subscription.self, key: 1, "news")
    }
    await expect(.wrongType, property: "user") {
      _ = try await magic.has(of: Subscription.self, key: Act("a", 1), "news")
    }
    try await magic.update(Subscription(Subscriber("Ada"), "news"))
    await expect(.notSaved) {
      _ = try await magic.has(of: Subscription.self, key: Subscriber("Ada"), "news")
    }
  }

  @Test func severalKeysKeepTheirOrder() async throws {
    let magic = try await open()
    let (ada, bob) = (Subscriber("Ada"), Subscriber("Bob"))
    try await magic.update(
      contentsOf: [
        Subscription(ada, "a"), Subscription(ada, "b"), Subscription(bob, "a"),
      ])
    let found = try await magic.object(
      of: Subscription.self, keys: [(bob, "a"), (ada, "b"), (bob, "z"), (bob, "a")])
    #expect(found.map { $0.user.name + $0.feed } == ["Boba", "Adab", "Boba"])
    #expect(found[0].zIndex == found[2].zIndex)
    // A row that is requested twice is one instance.
    found[0].isMuted = true
    #expect(found[2].isMuted && !found[1].isMuted)
    let none: [(Subscriber, String)] = []
    #expect(try await magic.object(of: Subscription.self, keys: none).isEmpty)
    let many = (0..<3000).map { ($0 % 2 == 0 ? ada : bob, $0 == 2000 ? "b" : "none") }
    #expect(try await magic.object(of: Subscription.self, keys: many).map(\.feed) == ["b"])
  }

  @Test func aTypeThatWasNeverSavedHasNoObjects() async throws {
    let magic = try await open()
    #expect(try await !magic.has(of: Act.self, key: "a", 1))
    await expect(.notFound) { _ = try await magic.object(of: Act.self, key: "a", 1) }
    #expect(try await magic.object(of: Act.self, keys: [("a", 1)]).isEmpty)
  }

  @Test func keysAreFoundInTransactionsAndSnapshots() async throws {
    let magic = try await open()
    try await magic.transaction { transaction in
      let ada = Subscriber("Ada")
      try transaction.update(Subscription(ada, "news"))
      // The transaction has inserted the object itself.
      #expect(try transaction.has(of: Subscription.self, key: ada, "news"))
      #expect(try transaction.object(of: Subscription.self, key: ada, "news").feed == "news")
      #expect(
        try transaction.object(of: Subscription.self, keys: [(ada, "x"), (ada, "news")]).count == 1)
    }
    let ada = try await magic.object(of: Subscriber.self, primary: "Ada")
    let count = try await magic.read { snapshot in
      let found = try snapshot.object(of: Subscription.self, key: ada, "news")
      return try snapshot.has(of: Subscription.self, key: ada, found.feed) ? 1 : 0
    }
    #expect(count == 1)
  }

  @Test func liveResultsReadKeys() async throws {
    let magic = try await open()
    let ada = Subscriber("Ada")
    try await magic.update(ada)
    let zIndex = try #require(ada.zIndex)
    var isThere = magic.values { try $0.has(of: Subscription.self, key: zIndex, "news") }
      .makeAsyncIterator()
    #expect(try await isThere.next() == false)
    try await magic.update(Subscription(ada, "news"))
    #expect(try await isThere.next() == true)
  }

  @Test(.requires(.rawSQL)) func aLookUpUsesTheIndexOfTheKey() async throws {
    let magic = try await open()
    try await magic.update(Act("a", 1))
    let names = try await magic.sql(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Act'"
    ).rows(String.self)
    #expect(names == ["Act(artist, hour) unique"])
    let plan = try await magic.query(Act.self).where(\.$artist == "a" && \.$hour == 1).explain()
    #expect(plan.description.contains("Act(artist, hour) unique"))
  }
}
