import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Fetched rows are freed with the last object that needs them, also in cycles.
@Suite(.everyEngine) struct FreeingTests {
  /// Ten nodes in a cycle; each refers to all others.
  private func saveCycle(_ store: MagicObjectStore) throws {
    let nodes = (0..<10).map(Node.init)
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % 10]
      node.others = nodes
      node.set = MagicalSet(nodes)
      node.keyed = ["self": node]
      node.leaf = Leaf(index)
      // These instances form a cycle; they are not used further.
    }
    try store.update(nodes[0])
    for node in nodes { (node.next, node.others, node.set, node.keyed) = (nil, [], [], [:]) }
  }

  @Test func aCycleIsFreedWithItsLastReferencedObject() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    weak var graph: PropertyStorage?
    do {
      var nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      #expect(nodes.allSatisfy { $0.storage === graph })
      let kept = try #require(nodes.first { $0.number == 3 })
      nodes = []
      #expect(graph != nil)
      var node = kept
      for step in 1...25 {
        node = try #require(node.next)
        #expect(node.number == (3 + step) % 10)
        #expect(node.others.map(\.number) == Array(0..<10))
        #expect(node.set.count == 10)
        #expect(node.keyed["self"]?.isSameRow(as: node) == true)
        #expect(node.leaf?.number == node.number)
      }
    }
    #expect(graph == nil)
  }

  @Test func readCollectionsRetainNoCycle() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    weak var graph: PropertyStorage?
    do {
      let nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      for node in nodes {
        #expect(node.others.count + node.set.count + node.keyed.count == 21)
        #expect(node.debugDescription.isEmpty == false)
      }
      try counted.store.update(contentsOf: nodes)
    }
    #expect(graph == nil)
  }

  @Test func changedValuesRetainNoCycle() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    weak var graph: PropertyStorage?
    do {
      let nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      for node in nodes {
        node.number += 100
        node.leaf?.number += 100
        node.leaf = Leaf(7)
      }
      try counted.store.update(contentsOf: nodes)
      #expect(try counted.store.object(of: Node.self).allSatisfy { $0.number >= 100 })
    }
    #expect(graph == nil)
  }

  @Test func relationshipsThatWereChangedAndSavedRetainNoCycle() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    weak var graph: PropertyStorage?
    do {
      let nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      nodes[0].others.append(Node(50))
      nodes[1].keyed["new"] = Node(51)
      nodes[2].set.remove(nodes[5])
      nodes[3].next = nodes[0]
      try counted.store.update(contentsOf: nodes)
      #expect(nodes[0].others.last?.number == 50)
      #expect(nodes[1].keyed["new"]?.number == 51)
      #expect(nodes[3].next?.number == nodes[0].number)
      // The same instances as before; they are still saved with their owner.
      nodes[0].others[0].number += 1_000
      nodes[3].next?.number += 2_000
      try counted.store.update(contentsOf: nodes)
      let again = try counted.store.object(of: Node.self)
      #expect(again.prefix(10).map(\.number) == nodes.map(\.number))
      #expect(Set(again.suffix(2).map(\.number)) == [50, 51])
    }
    #expect(graph == nil)
  }

  @Test func aChangedRelationshipRetainsACycleUntilItIsSaved() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    weak var graph: PropertyStorage?
    weak var kept: PropertyStorage?
    do {
      let nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      nodes[0].others.append(nodes[1])
      let others = try counted.store.object(of: Node.self)
      kept = others[0].storage
      others[0].others.append(others[1])
      try counted.store.update(contentsOf: others)
    }
    #expect(graph != nil)
    #expect(kept == nil)
  }

  @Test func aCycleOfFetchedInstancesIsFreedWhenItIsBroken() throws {
    let counted = try CountedStore()
    try counted.store.update(contentsOf: (0..<3).map(Node.init))
    weak var graph: PropertyStorage?
    weak var cell: PropertyStorage?
    do {
      let nodes = try counted.store.object(of: Node.self)
      graph = nodes[0].storage
      nodes[0].next = nodes[1]
      nodes[1].next = nodes[0]
      try counted.store.update(contentsOf: nodes)
      nodes[0].next = nil
      nodes[1].next = nil

      let (a, b) = (Node(1), Node(2))
      (a.next, b.next) = (b, a)
      cell = a.storage
      b.next = nil
    }
    #expect(graph == nil)
    #expect(cell == nil)
  }

  @Test func theOtherObjectsOfAFetchAreNotRetained() throws {
    let counted = try CountedStore()
    let branches = (0..<4_000).map { number in
      let branch = Branch("\(number)")
      branch.list = (0..<3).map(Leaf.init)
      return branch
    }
    try counted.store.update(contentsOf: branches)
    weak var last: PropertyStorage?
    weak var leaves: PropertyStorage?
    do {
      var fetched = try counted.store.object(of: Branch.self)
      let kept = fetched[0]
      #expect(kept.storage !== fetched[3_999].storage)
      last = fetched[3_999].storage
      leaves = fetched[3_999].list[0].storage
      #expect(last != nil && leaves != nil)
      fetched = []
      #expect(last == nil)
      #expect(leaves == nil)
      #expect(kept.list.map(\.number) == [0, 1, 2])
    }
  }

  @Test func referencedObjectsAreUsableAfterTheirOwnerIsFreed() throws {
    let counted = try CountedStore()
    let branch = Branch("a")
    branch.leaf = Leaf(1)
    branch.list = [Leaf(2), Leaf(3)]
    branch.set = [Leaf(4)]
    branch.keyed = ["a": Leaf(5)]
    try counted.store.update(branch)
    weak var owner: PropertyStorage?
    var leaves: [Leaf] = []
    var list: [Leaf] = []
    do {
      let fetched = try counted.store.object(of: Branch.self, primary: "a")
      owner = fetched.storage
      list = fetched.list
      leaves = [fetched.leaf, fetched.set.first, fetched.keyed["a"]].compactMap { $0 }
    }
    #expect(owner == nil)
    #expect(leaves.map(\.number) == [1, 4, 5])
    #expect(list.map(\.number) == [2, 3])
    leaves[0].number = 10
    try counted.store.update(contentsOf: leaves + list)
    #expect(try counted.store.object(of: Branch.self, primary: "a").leaf?.number == 10)
  }

  @Test func anOwnerOfACycleRetainsAllOfIt() throws {
    let counted = try CountedStore()
    let owner = Owner()
    let (a, b) = (Node(1), Node(2))
    (a.next, b.next, a.leaf) = (b, a, Leaf(3))
    owner.first = a
    owner.nodes = [b]
    try counted.store.update(owner)
    (a.next, b.next) = (nil, nil)
    weak var graph: PropertyStorage?
    weak var chunk: PropertyStorage?
    do {
      let fetched = try #require(counted.store.object(of: Owner.self).first)
      chunk = fetched.storage
      graph = fetched.first?.storage
      #expect(chunk !== graph)
      #expect(fetched.nodes[0].next?.leaf?.number == 3)
      #expect(fetched.first?.next?.storage === graph)
    }
    #expect(chunk == nil)
    #expect(graph == nil)
  }

  @Test func instancesOfAClassAreFreedWithTheirFetch() throws {
    let counted = try CountedStore()
    let (a, b) = (Model(), Model())
    (a.partner, b.partner) = (b, a)
    a.friends = [a, b]
    try counted.store.update(a)
    (a.partner, b.partner, a.friends) = (nil, nil, [])
    weak var model: Model?
    weak var graph: PropertyStorage?
    do {
      let models = try counted.store.object(of: Model.self)
      graph = models[0].storage
      model = models[0].partner?.partner
      #expect(models.map(\.friends.count).sorted() == [0, 2])
      #expect(models[0].partner?.partner?.isSameRow(as: models[0]) == true)
    }
    #expect(model == nil)
    #expect(graph == nil)
  }

  @Test(.requires(.files)) func aFailedFetchRetainsNothing() throws {
    let counted = try CountedStore()
    try saveCycle(counted.store)
    let raw = try counted.scratch.raw()
    try raw.execute(
      "PRAGMA foreign_keys = OFF; UPDATE \"Node\" SET \"next\" = 999 WHERE \"number\" = 9")
    let error = #expect(throws: MagicError.self) { try counted.store.object(of: Node.self) }
    #expect(error?.code == .brokenReference)
    #expect(error?.type == "Node")
    #expect(error?.property == "next")
    try raw.execute("UPDATE \"Node\" SET \"next\" = NULL WHERE \"number\" = 9")
    #expect(try counted.store.object(of: Node.self).count == 10)
  }
}

private struct Node: MagicObject {
  @MagicValue var number: Int = 0
  @OptionMagicValue var next: Node?
  @MagicValue var others: [Node] = []
  @MagicValue var set: MagicalSet<Node> = []
  @MagicValue var keyed: [String: Node] = [:]
  @OptionMagicValue var leaf: Leaf?

  init() {}
  init(_ number: Int) { self.number = number }
}

private struct Owner: MagicObject {
  @OptionMagicValue var first: Node?
  @MagicValue var nodes: [Node] = []
}

private final class Model: MagicObject, @unchecked Sendable {
  @MagicValue var number: Int = 0
  @OptionMagicValue var partner: Model?
  @MagicValue var friends: [Model] = []

  init() {}
}
