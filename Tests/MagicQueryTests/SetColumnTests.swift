import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport
import Testing

struct Tagged: MagicObject {
  @MagicValue var tags: Set<String> = []
  @MagicValue var numbers: Set<Int> = []
  @MagicValue var ids: Set<UUID> = []

  init() {}
}

@Suite(.everyEngine) struct SetColumnTests {
  @Test func equalSetsAreFoundForAnyHashOrder() throws {
    let test = try TestStore()
    let tags = (0..<40).map { "tag\($0)" }
    let ids = (0..<40).map { _ in UUID() }
    let tagged = Tagged()
    tagged.tags = Set(tags)
    tagged.numbers = Set(0..<40)
    tagged.ids = Set(ids)
    try test.store.update(tagged)
    let all = test.store.query(Tagged.self)
    let seed = Effort.seed("SETS")
    var random = SeededRandom(seed)
    for _ in 0..<10 {
      let tags = Set(tags.shuffled(using: &random))
      #expect(try all.where(\.$tags == tags).count() == 1, "MAGIC_SETS_SEED=\(seed)")
      let numbers = Set((0..<40).shuffled(using: &random))
      #expect(try all.where(\.$numbers == numbers).count() == 1, "MAGIC_SETS_SEED=\(seed)")
      let ids = Set(ids.shuffled(using: &random))
      #expect(try all.where(\.$ids == ids).count() == 1, "MAGIC_SETS_SEED=\(seed)")
    }
    #expect(try all.where(\.$tags == Set(tags.dropFirst())).count() == 0)
    #expect(try all.where(\.$ids == []).count() == 0)
    let found = try #require(try all.first())
    #expect(found.tags == Set(tags))
    #expect(found.numbers == Set(0..<40))
    #expect(found.ids == Set(ids))
  }

  @Test func anEmptySetIsAnEmptyArray() throws {
    #expect(try Set<UUID>().storedValue == Data("[]".utf8))
    #expect(try Set<String>(["b", "a"]).storedValue == Data("[\"a\",\"b\"]".utf8))
    #expect(try Set<Double>([2, 1]).storedValue == Data("[1,2]".utf8))
  }
}
