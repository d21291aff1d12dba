import MagicData
import Testing

// The examples of keys of several properties.

struct Subscription: MagicObject {
  @MagicValue var user: Person
  @MagicValue var feed: String
  @MagicValue var isMuted: Bool = false

  static var key: MagicKey<Self> { MagicKey(\.$user, \.$feed) }

  init() {}

  init(user: Person, feed: String, isMuted: Bool = false) {
    (self.user, self.feed, self.isMuted) = (user, feed, isMuted)
  }
}

@Suite struct DocumentedKeys {
  @Test func anObjectIsFoundByItsKey() async throws {
    let magic = try await MagicData(type: .temporary)
    let (ada, grace) = (Person(name: "Ada"), Person(name: "Grace"))
    try await magic.update(contentsOf: [ada, grace])

    try await magic.update(Subscription(user: ada, feed: "news"))
    try await magic.update(Subscription(user: ada, feed: "news", isMuted: true))  // the same row

    let found = try await magic.object(of: Subscription.self, key: ada, "news")
    let several = try await magic.object(
      of: Subscription.self, keys: [(ada, "news"), (grace, "news")])
    let isThere = try await magic.has(of: Subscription.self, key: ada, "art")

    #expect(found.isMuted && several.count == 1 && !isThere)
  }

  @Test func theChangesOfOneObjectAreReported() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let task = Task {
      for await _ in magic.changes(of: Subscription.self, key: ada, "news") { print("changed") }
    }
    try await magic.update(Subscription(user: ada, feed: "news"))
    await magic.close()
    await task.value
  }
}
