import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Long chains and cycles of references, and objects that other objects require.
@Suite struct GraphTests {
  let scratch = Scratch()

  struct Node: MagicObject {
    @MagicValue var number: Int = 0
    @OptionMagicValue var next: Node?

    init() {}
    init(_ number: Int, next: Node? = nil) {
      self.number = number
      self.next = next
    }
  }

  struct Stage: MagicObject {
    @MagicValue var name: String
    @MagicValue(.onDelete(.cascade)) var before: [Stage] = []

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Badge: MagicObject {
    @MagicValue var owner: Person

    init() {}
    init(_ owner: Person) { self.owner = owner }
  }

  @Test func aLongChainIsSavedLoadedAndFreed() async throws {
    try await scratch.using(MagicOptions(durability: .normal)) { magic async throws in
      let length = Effort.choose(20_000, long: 100_000)
      var head = Node(0)
      for number in 1..<length { head = Node(number, next: head) }
      try await magic.update(head)
      #expect(try await magic.query(Node.self).count() == length)
      var node = try await magic.query(Node.self).where(\.$number == length - 1).all().first
      var count = 0
      while let one = node {
        count += 1
        node = one.next
      }
      #expect(count == length)
    }
  }

  @Test func aCycleIsSavedOnceAndLoaded() async throws {
    try await scratch.using { magic async throws in
      let (a, b, c) = (Node(1), Node(2), Node(3))
      (a.next, b.next, c.next) = (b, c, a)
      try await magic.update(a)
      #expect(try await magic.query(Node.self).count() == 3)
      let again = try await magic.object(of: Node.self)
      #expect(again.map { $0.next?.next?.next?.number } == again.map(\.number))
      c.next = nil
      try await magic.update(c)
    }
  }

  @Test func aDeniedRemovalChangesNothingAndRollsBackItsTransaction() async throws {
    try await scratch.using { magic async throws in
      let person = Person(id: "a", name: "x")
      let badge = Badge(person)
      try await magic.update(badge)
      let error = await expect(.stillReferenced) { try await magic.remove(person) }
      #expect(error?.message.contains("Badge") == true || error?.type == "Badge")
      await expect(.stillReferenced) {
        try await magic.transaction {
          try $0.update(Note("new"))
          try $0.remove(person)
        }
      }
      await expect(.stillReferenced) { try await magic.removeAll(of: Person.self) }
      #expect(person.zIndex != nil)
      #expect(try await magic.texts().isEmpty)
      #expect(try await magic.object(of: Badge.self).map(\.owner.name) == ["x"])
      // The next write is a new transaction.
      try await magic.update(Note("b"))
      try await magic.remove(badge)
      try await magic.remove(person)
      #expect(try await magic.texts() == ["b"])
    }
  }

  @Test func aCascadeOfThousandsOfLevelsRemovesAllObjects() async throws {
    try await scratch.using(MagicOptions(durability: .normal)) { magic async throws in
      var head = Stage("0")
      for number in 1..<5_000 {
        let stage = Stage("\(number)")
        stage.before = [head]
        head = stage
      }
      try await magic.update(head)
      try await magic.remove(head)
      #expect(try await magic.query(Stage.self).count() == 0)
      #expect(try await magic.verify().findings == [])
    }
  }
}
