import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

/// Documents of whole graphs.
@Suite(.everyEngine, .requires([.assets])) struct GraphTests {
  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  /// The objects of a database as texts, in which an object without a primary is its text.
  private func dump(_ magic: MagicData) async throws -> [String] {
    var lines: [String] = []
    for node in try await magic.object(of: Node.self) {
      let set = node.set.map(\.id).sorted()
      func texts<Key: Comparable>(_ leaves: [Key: Leaf]) -> [String] {
        leaves.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }
      }
      let lazyNext = try await node.lazyNext?.get().id
      let lazyLeaves = try await node.lazyLeaves.get().map(\.text)
      let picture = try node.picture?.load().map { $0.base64EncodedString() }
      lines.append(
        "\(node.id) \(node.name) \(node.weight.bitPattern) \(node.next?.id ?? "-") "
          + "\(node.list.map(\.id)) \(set) \(texts(node.named)) \(texts(node.numbered)) "
          + "\(texts(node.measured)) \(lazyNext ?? "-") \(lazyLeaves) "
          + "\(picture ?? "-") \(node.picture?.pathExtension ?? "-")")
    }
    for leaf in try await magic.object(of: Leaf.self) {
      lines.append("\(leaf.text) \(leaf.twin?.id ?? "-")")
    }
    return lines.sorted()
  }

  /// Creates a graph in which all objects can be reached from the first one.
  private func graph(_ random: inout SeededRandom) -> Node {
    let count = 1 + random.below(12)
    let nodes = (0..<count).map { Node("n\($0)", name: "name \(random.below(100))") }
    let leaves = (0..<random.below(8)).map { Leaf("leaf \($0)") }
    for (index, node) in nodes.enumerated() {
      node.weight = Double(bitPattern: random.next() & 0x7FDF_FFFF_FFFF_FFFF)
      if index > 0 { nodes[random.below(index)].list.append(node) }
      for _ in 0..<random.below(4) { node.list.append(nodes[random.below(count)]) }
      for _ in 0..<random.below(3) { node.set.insert(nodes[random.below(count)]) }
      if random.below(2) == 0 { node.next = nodes[random.below(count)] }
      if random.below(3) == 0 { node.lazyNext = .init(value: nodes[random.below(count)]) }
      if random.below(3) == 0 {
        node.picture =
          random.below(2) == 0
          ? MagicAsset(value: random.data(count: random.below(40)))
          : MagicAsset(value: random.data(count: 9), pathExtension: "png")
      }
    }
    for leaf in leaves {
      let node = nodes[random.below(count)]
      if random.below(2) == 0 { leaf.twin = nodes[random.below(count)] }
      switch random.below(4) {
      case 0: node.named["k \(random.below(9))\u{0}"] = leaf
      case 1: node.numbered[random.below(100) - 50] = leaf
      case 2: node.measured[Double(random.below(9)) / 8] = leaf
      default: node.lazyLeaves = .init(value: [leaf, leaf])
      }
    }
    return nodes[0]
  }

  @Test(arguments: 0..<8) func theDocumentOfAGraphCreatesTheSameObjects(_ seed: Int) async throws {
    var random = SeededRandom(UInt64(seed))
    for round in 0..<TestedEngine.rounds(12) {
      let (source, target) = (try await magic(), try await magic())
      let root = graph(&random)
      // The document of objects in memory, and that of the same objects in the database.
      let unsaved = try await source.json(of: root, depth: .graph)
      try await source.update(root)
      let fetched = try await source.object(of: Node.self, primary: "n0")
      let json = try await source.json(of: fetched, depth: .graph)
      let before = try await dump(source)
      try await target.update(json: json, as: Node.self)
      #expect(try await dump(target) == before, "seed \(seed), round \(round): \(json)")
      let third = try await magic()
      try await third.update(json: unsaved, as: Node.self)
      #expect(try await dump(third) == before, "seed \(seed), round \(round): \(unsaved)")
      for magic in [source, target, third] { await magic.close() }
    }
  }

  @Test func aDeepGraphIsNotNestedDeeply() async throws {
    let (source, target) = (try await magic(), try await magic())
    let nodes = (0..<5_000).map { Node("n\($0)") }
    for (left, right) in zip(nodes, nodes.dropFirst()) { left.next = right }
    let json = try await source.json(of: nodes[0], depth: .graph)
    var (depth, deepest) = (0, 0)
    for byte in json.data {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    #expect(deepest < 64)
    try await target.update(json: json, as: Node.self)
    #expect(try await target.query(Node.self).count() == nodes.count)
    let last = try await target.object(of: Node.self, primary: "n4998")
    #expect(last.next?.id == "n4999")
    for magic in [source, target] { await magic.close() }
  }

  @Test func objectsInACircleAreReleased() async throws {
    final class Ring: MagicObject, @unchecked Sendable {
      nonisolated(unsafe) static var count = 0
      @PrimaryMagicValue var id: String
      @OptionMagicValue var next: Ring?
      @MagicValue var all: [Ring] = []
      init() { Ring.count += 1 }
      deinit { Ring.count -= 1 }
    }
    let magic = try await magic()
    let json = MagicJSON(
      #"{"id":"a","next":{"id":"b","next":{"$ref":"a"},"all":[{"$ref":"a"},{"$ref":"b"}]}}"#)
    try await magic.update(json: json, as: Ring.self)
    let before = Ring.count
    for _ in 0..<10 { try await magic.update(json: json, as: Ring.self) }
    #expect(Ring.count == before)
    await magic.close()
  }
}
