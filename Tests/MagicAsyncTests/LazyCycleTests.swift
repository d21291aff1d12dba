import EngineConformance
import MagicData
import MagicRelations
import MagicTestSupport
import Testing

@testable import MagicSchema

/// Cycles of lazy relationships.
@Suite(.everyEngine) struct LazyCycleTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  struct Node: MagicObject {
    @MagicValue var number: Int
    @OptionMagicValue var next: AsyncMagical<Node>?
    @MagicValue var others: AsyncMagical<[Node]> = .init(value: [])

    init() {}
    init(_ number: Int) { self.number = number }
  }

  @Test func aTypeThatRefersToItselfIsFetchedWithoutAGraph() throws {
    let reach = try ObjectSchema.of(Node.self).reach
    #expect(reach.hasRelationships)
    #expect(reach.isCyclic)
    #expect(!reach.fetched.hasRelationships)
    #expect(!reach.fetched.isCyclic)
    #expect(!reach.fetched.reachesCycle)
  }

  @Test func aCycleIsSavedOnceAndFetchedStepByStep() async throws {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let (first, second) = (Node(1), Node(2))
    first.next = .init(value: second)
    second.next = .init(value: first)
    second.others.set([first, second])
    try await magic.update(first)
    #expect(try await magic.object(of: Node.self).count == 2)
    recorder.clear()
    let all = try await magic.object(of: Node.self)
    recorder.expectRan(1)
    let start = all[0]
    let there = try #require(try await start.next?.get())
    let back = try #require(try await there.next?.get())
    #expect([start.number, there.number, back.number].sorted() == [1, 1, 2] || start.number == 2)
    #expect(back.isSameRow(as: start))
    #expect(try await all.first { $0.number == 2 }?.others.get().map(\.number).sorted() == [1, 2])
  }

  @Test func aSavedCycleIsFreed() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    weak var remains: Counted?
    do {
      let (first, second) = (Counted(), Counted())
      first.next = .init(value: second)
      second.next = .init(value: first)
      remains = first
      try await magic.update(first)
    }
    #expect(remains == nil)
  }

  final class Counted: MagicObject, @unchecked Sendable {
    @OptionMagicValue var next: AsyncMagical<Counted>?
    init() {}
  }

  @Test(.requires(.queries)) func aLongChainIsSavedAndFreed() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    var last = Node(0)
    for number in 1..<20_000 {
      let node = Node(number)
      node.next = .init(value: last)
      last = node
    }
    try await magic.update(last)
    #expect(try await magic.query(Node.self).count() == 20_000)
    #expect(try await last.next?.get().number == 19_998)
  }

  @Test func aLongUnsavedChainIsFreed() {
    var last = Node(0)
    for number in 1..<100_000 {
      let node = Node(number)
      node.next = .init(value: last)
      last = node
    }
    #expect(last.number == 99_999)
    last = Node(1)
    #expect(last.number == 1)
  }
}
