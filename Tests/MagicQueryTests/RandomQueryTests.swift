import EngineConformance
import MagicQuery
import SQLiteStore
import Testing

/// Random queries of JSON and of other rows find the rows that Swift finds.
@Suite(.everyEngine) struct RandomQueryTests {
  @Test(arguments: 1...4)
  func queriesOfJSONAndOfOtherRowsFindTheRowsThatSwiftFinds(_ seed: UInt64) throws {
    let test = try TestStore()
    let world = RandomWorld(seed: seed)
    try test.store.update(contentsOf: world.nodes)
    for _ in 0..<TestedEngine.rounds(200) {
      let question = world.question(3)
      let query = MagicQuery(RandomNode.self).where(question.predicate)
      let found = try query.bound(to: test.store).select { $0.zIndex }.all()
      let expected = world.nodes.filter(question.isTrue).compactMap(\.zIndex)
      let sql = try query.sql
      try #require(found.sorted() == expected.sorted(), "\(question.name): \(sql)")
    }
  }

  @Test(arguments: 5...6) func theirGroupsAndOrdersAreThoseOfSwift(_ seed: UInt64) throws {
    let test = try TestStore()
    let world = RandomWorld(seed: seed)
    try test.store.update(contentsOf: world.nodes)
    for _ in 0..<50 {
      let (question, key) = (world.question(2), world.number(3))
      let nodes = world.nodes.filter(question.isTrue)
      let query = test.store.query(RandomNode.self).where(question.predicate)
      let groups = try query.grouped { $0.$numbers.count { $0 > key } }.order(byKey: .ascending)
        .select { ($0.count, $0.sum { $0.$sizes["a"] ?? 0 }) }.all()
      let expected = Dictionary(grouping: nodes) { $0.numbers.filter { $0 > key }.count }
      try #require(groups.map(\.key) == expected.keys.sorted(), "\(question.name)")
      for group in groups {
        let members = expected[group.key] ?? []
        let sum = members.map { $0.sizes["a"] ?? 0 }.reduce(0, +)
        try #require(group.values == (members.count, sum), "\(question.name)")
      }
      let ordered = try query.order(.descending) { $0.$part[json: "n", as: Int.self] }
        .select { $0.$part[json: "n", as: Int.self] }.all()
      try #require(ordered == nodes.map { $0.part?.n }.sorted { ($0 ?? -1) > ($1 ?? -1) })
    }
  }
}
