import MagicTestSupport
import Testing

@testable import MemoryEngine

@Suite struct SortedMapTests {
  private static let seed = Effort.seed("SORTED")

  private func map(_ keys: some Sequence<Int>) -> SortedMap<Int, Int> {
    var map = SortedMap<Int, Int>()
    for key in keys { map[key] = -key }
    return map
  }

  @Test func valuesAreInTheOrderOfTheirKeys() {
    let keys = Array(0..<2_000)
    var random = SeededRandom(Self.seed)
    for order in [keys, keys.reversed(), keys.shuffled(using: &random)] {
      let map = map(order)
      #expect(map.count == 2_000, "MAGIC_SORTED_SEED=\(Self.seed)")
      #expect(Array(map.keys) == keys, "MAGIC_SORTED_SEED=\(Self.seed)")
      #expect(map[1_234] == -1_234)
      #expect(map[2_000] == nil)
      #expect(Array(map.values(after: 999)) == keys[1_000...].map { -$0 })
      #expect(Array(map.values(after: 2_000)).isEmpty)
    }
  }

  @Test func removedKeysAreNotInTheMap() {
    var map = map(0..<1_000)
    var random = SeededRandom(Self.seed)
    for key in (0..<1_000).shuffled(using: &random) where key % 3 != 0 { map[key] = nil }
    #expect(
      Array(map.keys) == Array(stride(from: 0, to: 1_000, by: 3)),
      "MAGIC_SORTED_SEED=\(Self.seed)")
    #expect(map.count == 334, "MAGIC_SORTED_SEED=\(Self.seed)")
    for key in Array(map.keys) { map[key] = nil }
    #expect(map.isEmpty)
    #expect(Array(map.values(after: 0)).isEmpty)
  }

  @Test func aCopyKeepsItsValues() {
    var map = map(0..<600)
    let copy = map
    map[3] = nil
    map[5] = 0
    map[7, default: 1] += 1
    map[900, default: 1] += 1
    #expect(copy.count == 600)
    #expect(copy[3] == -3)
    #expect(copy[5] == -5)
    #expect(copy[900] == nil)
    #expect(map[7] == -6)
    #expect(map[900] == 2)
  }
}
