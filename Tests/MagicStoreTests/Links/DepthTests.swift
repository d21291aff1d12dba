import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Deep enough to overflow a stack that grows by 64 bytes per level.
private let deepest = Effort.choose(8_000, long: 100_000)
private let deep = Effort.choose(8_000, long: 20_000)

/// Graphs of any depth are saved, loaded and freed on a small stack.
@Suite(.everyEngine) struct DepthTests {
  /// Makes a chain of new objects, the deepest first.
  private static func chain<Node: ChainNode>(_ type: Node.Type, _ depth: Int) -> Node {
    var head = Node()
    for number in 1..<depth {
      let node = Node()
      node.number = number
      node.lead(to: head)
      head = node
    }
    return head
  }

  private static func length<Node: ChainNode>(from head: Node) -> Int {
    var count = 1
    var node = head
    while let next = node.next {
      guard next.number == node.number - 1 else { return -count }
      node = next
      count += 1
    }
    return count
  }

  private func savesLoadsAndFrees<Node: ChainNode>(
    _ type: Node.Type, _ depth: Int
  ) async throws {
    let scratch = Scratch()
    try await onSmallStack {
      let store = try scratch.open(MagicOptions(durability: .normal))
      let zIndex: ZIndex
      do {
        let head = Self.chain(Node.self, depth)
        zIndex = try store.update(head)
        // An unchanged chain of saved instances is visited again.
        #expect(try store.update(head) == zIndex)
      }
      weak var graph: PropertyStorage?
      do {
        let all = try store.object(of: Node.self)
        #expect(all.count == depth)
        guard let head = all.first(where: { $0.zIndex == zIndex }) else {
          Issue.record("There is no head.")
          return
        }
        graph = head.storage
        #expect(Self.length(from: head) == depth)
        // A fetched chain.
        #expect(try store.update(head) == zIndex)
      }
      #expect(graph == nil)
      store.close()
    }
  }

  @Test func aChainOfToOnes() async throws { try await savesLoadsAndFrees(Link.self, deepest) }

  @Test func aChainOfArrays() async throws { try await savesLoadsAndFrees(ArrayLink.self, deepest) }

  @Test func aChainOfSets() async throws { try await savesLoadsAndFrees(SetLink.self, deep) }

  @Test func aChainOfDictionaries() async throws {
    try await savesLoadsAndFrees(KeyedLink.self, deep)
  }

  @Test func aChainOfClassInstances() async throws {
    try await savesLoadsAndFrees(ClassLink.self, deep)
  }

  @Test func alternatingTypes() async throws {
    let scratch = Scratch()
    try await onSmallStack {
      let store = try scratch.open(MagicOptions(durability: .normal))
      do {
        var odd = Odd()
        for _ in 0..<deepest / 2 {
          let even = Even()
          even.odds = [odd]
          odd = Odd()
          odd.even = even
        }
        odd.isFirst = true
        try store.update(odd)
      }
      weak var graph: PropertyStorage?
      do {
        let first = try store.first(of: Odd.self) { $0.isFirst }
        graph = first?.storage
        var count = 0
        var odd = first
        while let next = odd?.even?.odds.first {
          odd = next
          count += 1
        }
        #expect(count == deepest / 2)
      }
      #expect(graph == nil)
      store.close()
    }
  }

  /// Expects that a chain that only one object refers to is freed by a change of this object.
  private static func expectFreed<Node: ChainNode>(
    from node: Node, _ depth: Int, at location: SourceLocation = #_sourceLocation,
    by change: (Node) -> Void
  ) throws {
    weak var head: PropertyStorage?
    do {
      let chain = Self.chain(Node.self, depth)
      head = chain.storage
      node.lead(to: chain)
    }
    try #require(head != nil, sourceLocation: location)
    change(node)
    #expect(head == nil, sourceLocation: location)
  }

  @Test func aNewChainIsFreedByAnyReleaseOfItsOwner() async throws {
    try await onSmallStack {
      weak var alone: PropertyStorage?
      do { alone = Self.chain(Link.self, deepest).storage }
      #expect(alone == nil)
      do { alone = Self.chain(ArrayLink.self, deep).storage }
      #expect(alone == nil)
      try Self.expectFreed(from: Link(), deepest) { $0.following = nil }
      try Self.expectFreed(from: ArrayLink(), deep) { $0.members.removeAll() }
      try Self.expectFreed(from: ArrayLink(), deep) { $0.members = [] }
      try Self.expectFreed(from: SetLink(), deep) { $0.members.removeAll() }
    }
  }

  @Test func aChangedFetchedChainIsSavedAndFreed() async throws {
    let scratch = Scratch()
    try await onSmallStack {
      let store = try scratch.open(MagicOptions(durability: .normal))
      try store.update(Self.chain(Link.self, deep))
      weak var graph: PropertyStorage?
      do {
        let all = try store.object(of: Link.self)
        graph = all[0].storage
        for link in all { link.number += 1 }
        try store.update(contentsOf: [all[deep - 1]])
      }
      #expect(graph == nil)
      #expect(try store.object(of: Link.self).allSatisfy { $0.number > 0 })
      store.close()
    }
  }
}

private protocol ChainNode: MagicObject {
  var number: Int { get nonmutating set }
  var next: Self? { get }
  func lead(to next: Self)
}

private struct Link: ChainNode {
  @MagicValue var number: Int = 0
  @OptionMagicValue var following: Link?

  var next: Link? { following }
  func lead(to next: Link) { following = next }
}

private struct ArrayLink: ChainNode {
  @MagicValue var number: Int = 0
  @MagicValue var members: [ArrayLink] = []

  var next: ArrayLink? { members.first }
  func lead(to next: ArrayLink) { members = [next] }
}

private struct SetLink: ChainNode {
  @MagicValue var number: Int = 0
  @MagicValue var members: MagicalSet<SetLink> = []

  var next: SetLink? { members.first }
  func lead(to next: SetLink) { members = [next] }
}

private struct KeyedLink: ChainNode {
  @MagicValue var number: Int = 0
  @MagicValue var members: [Int: KeyedLink] = [:]

  var next: KeyedLink? { members[1] }
  func lead(to next: KeyedLink) { members = [1: next] }
}

private final class ClassLink: ChainNode, @unchecked Sendable {
  @MagicValue var number: Int = 0
  @OptionMagicValue var following: ClassLink?

  init() {}
  var next: ClassLink? { following }
  func lead(to next: ClassLink) { following = next }
}

private struct Odd: MagicObject {
  @MagicValue var isFirst: Bool = false
  @OptionMagicValue var even: Even?
}

private struct Even: MagicObject {
  @MagicValue var odds: [Odd] = []
}
