import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The objects that are fetched with an object whose type refers to itself: first level by level,
/// then by a recursive query. Each object occurs once, with its own members in their order.
@Suite(.everyEngine) struct ReachedObjectsTests {
  /// The references between some nodes.
  fileprivate struct Shape {
    private(set) var count = 1
    var lists: [Int: [Int]] = [:]
    var keyed: [Int: [String: Int]] = [:]

    mutating func add(below node: Int) -> Int {
      lists[node, default: []].append(count)
      count += 1
      return count - 1
    }
  }

  fileprivate struct Node: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var mark: Int = -1
    @MagicValue var list: [Node] = []
    @MagicValue var keyed: [String: Node] = [:]

    init() {}

    init(_ number: Int) { self.number = number }
  }

  @Test func aTreeThatEndsInAChainWithCyclesIsFetchedCompletely() throws {
    var shape = Shape()
    // A tree of three levels with five children each, then a chain of two hundred with cycles.
    let leaves = (0..<3).reduce([0]) { level, _ in
      level.flatMap { node in (0..<5).map { _ in shape.add(below: node) } }
    }
    var last = leaves[7]
    for step in 0..<200 {
      last = shape.add(below: last)
      if step % 20 == 0 { shape.lists[last, default: []] += [0, leaves[step % leaves.count]] }
    }
    try expectAll(of: shape)
  }

  @Test func moreThanThirtyTwoWideLevelsAreFetchedCompletely() throws {
    var shape = Shape()
    var level = [0]
    for _ in 0..<60 {
      let next = (0..<6).map { _ in shape.add(below: level[0]) }
      for node in level.dropFirst() { shape.lists[node, default: []] += next }
      level = next
    }
    try expectAll(of: shape)
  }

  @Test func aMemberIsOneInstanceInEveryCollection() throws {
    var shape = Shape()
    let middle = (0..<8).map { _ in shape.add(below: 0) }
    let bottom = shape.add(below: middle[0])
    for node in middle { shape.lists[node, default: []] += [bottom, node, bottom] }
    shape.keyed[bottom] = ["top": 0, "self": bottom, "first": middle[0]]
    try expectAll(of: shape)
  }

  @Test(arguments: 0..<6)
  func aRandomGraphIsFetchedCompletely(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var shape = Shape()
    for _ in 0..<400 { _ = shape.add(below: shape.count > 1 ? random.below(shape.count) : 0) }
    for _ in 0..<600 {
      let (from, to) = (random.below(shape.count), random.below(shape.count))
      if random.below(2) == 0 {
        shape.lists[from, default: []].append(to)
      } else {
        shape.keyed[from, default: [:]]["\(random.below(9))"] = to
      }
    }
    try expectAll(of: shape)
  }

  private func expectAll(of shape: Shape) throws {
    let store = try MagicObjectStore.onTestedEngine(.memory)
    let nodes = (0..<shape.count).map(Node.init)
    for (node, members) in shape.lists { nodes[node].list = members.map { nodes[$0] } }
    for (node, members) in shape.keyed { nodes[node].keyed = members.mapValues { nodes[$0] } }
    // Not in the order of the graph: adjacent nodes are not adjacent rows.
    var random = SeededRandom(7)
    try store.update(contentsOf: nodes.shuffled(using: &random))

    var found: [Int: Node] = [:]
    var waiting = [try store.object(of: Node.self, primary: 0)]
    while let node = waiting.popLast() {
      guard found.updateValue(node, forKey: node.number) == nil else { continue }
      #expect(node.list.map(\.number) == shape.lists[node.number, default: []])
      #expect(node.keyed.mapValues(\.number) == shape.keyed[node.number, default: [:]])
      waiting += node.list + node.keyed.values
    }
    #expect(found.count == shape.count)
    // One instance each: a change is visible through every reference to it.
    for node in found.values { node.mark = node.number }
    for node in found.values {
      #expect(node.list.allSatisfy { $0.mark == $0.number })
      #expect(node.keyed.values.allSatisfy { $0.mark == $0.number })
    }
  }
}
