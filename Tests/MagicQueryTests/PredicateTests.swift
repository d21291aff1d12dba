import EngineConformance
import MagicQuery
import SQLiteStore
import Testing

@Suite(.everyEngine) struct PredicateTests {
  @Test(arguments: 1...3)
  func randomPredicatesFindTheRowsThatSwiftFinds(_ seed: UInt64) throws {
    let test = try TestStore()
    let world = PredicateWorld(seed: seed)
    try test.store.update(contentsOf: world.nodes)
    try test.store.update(contentsOf: world.leaves)
    for _ in 0..<1_000 {
      let question = world.question(3)
      let query = MagicQuery(PredicateNode.self).where(question.predicate)
      let found = try query.bound(to: test.store).select { $0.zIndex }.all()
      let expected = world.nodes.filter(question.isTrue).compactMap(\.zIndex)
      let sql = try query.sql
      try #require(found.sorted() == expected.sorted(), "\(question.name): \(sql)")
    }
  }

  @Test func aNegationAppliesToAnExpressionThatStartsWithAMemberTest() throws {
    let test = try TestStore()
    let (elm, oak) = (Home("Elm"), Home("Oak"))
    elm.members = [Resident("Ada")]
    try test.store.update(contentsOf: [elm, oak])
    let homes = test.store.query(Home.self)
    let both = homes.where {
      !($0.$members.contains { $0.$age >= 0 } && $0.$street == "Fir")
    }
    #expect(try both.count() == 2)
    let either = homes.where {
      !($0.$members.contains { $0.$age >= 0 } || $0.$street == "Oak")
    }
    #expect(try either.count() == 0)
  }

  @Test func anEmptyListOverAComputedValueFindsNothing() throws {
    let residents = try TestStore.ofResidents()
    let all = residents.store.query(Resident.self)
    #expect(try all.where { row in (row.$age + 5).in([Int]()) }.count() == 0)
    #expect(try all.where { row in (row.$age + 5).in([Int]()) || row.$age > 20 }.count() == 2)
    #expect(try all.where { !$0.$nick.in([String]()) }.count() == 4)
  }
}
