import EngineConformance
import MagicData
import MagicQuery
import Testing

/// Union, intersection and difference of queries of one type.
@Suite(.everyEngine) struct SetOperationTests {
  private let test: TestStore
  private let all = MagicQuery(Resident.self)

  /// Ada, 36; Ben, 18, "benny"; Cleo, 18; Dora, 70, "100%_\".
  init() throws { test = try TestStore.ofResidents() }

  private var residents: MagicQuery<Resident, MagicObjectStore> {
    test.store.query(Resident.self).order(by: \.$name)
  }

  private func names<Source: MagicDatabaseReader>(
    _ query: MagicQuery<Resident, Source>
  ) throws -> [String] {
    let names = try query.select(\.$name).all()
    #expect(try query.count() == names.count)
    #expect(try query.exists() == !names.isEmpty)
    #expect(try query.all().map(\.name) == names)
    return names
  }

  @Test func conditionsAreCombined() throws {
    let young = all.where(\.$age == 18)
    let named = all.where { $0.$nick != nil }
    #expect(try names(residents.where(\.$age > 30).union(young)) == ["Ada", "Ben", "Cleo", "Dora"])
    #expect(try names(residents.where(\.$name == "Ada").union(named)) == ["Ada", "Ben", "Dora"])
    #expect(try names(residents.where(\.$age == 18).intersect(named)) == ["Ben"])
    #expect(try names(residents.where { $0.$nick != nil }.except(young)) == ["Dora"])
    #expect(try names(residents.except(named)) == ["Ada", "Cleo"])
    #expect(try names(residents.except(all)) == [])
    #expect(try names(residents.union(named)) == ["Ada", "Ben", "Cleo", "Dora"])
    #expect(try names(residents.intersect(all)) == ["Ada", "Ben", "Cleo", "Dora"])
  }

  @Test func anUnknownConditionIsFalseOnBothSides() throws {
    let nicks = all.where { $0.$nick == "benny" }
    let tall = all.where { $0.$height > 1.6 }
    #expect(try names(residents.except(tall)) == ["Ben", "Cleo", "Dora"])
    #expect(try names(residents.except(nicks)) == ["Ada", "Cleo", "Dora"])
    #expect(try names(residents.where { $0.$height > 1.6 }.union(nicks)) == ["Ada", "Ben"])
  }

  @Test func theOtherQueryMayHaveALimit() throws {
    let oldest = all.order(by: \.$age, .descending).limit(2)
    #expect(try names(residents.intersect(oldest)) == ["Ada", "Dora"])
    #expect(try names(residents.except(oldest)) == ["Ben", "Cleo"])
    #expect(
      try names(residents.where(\.$age == 18).union(oldest.offset(1))) == ["Ada", "Ben", "Cleo"])
    #expect(try names(residents.union(oldest).limit(3).offset(1)) == ["Ben", "Cleo", "Dora"])
  }

  @Test func unboundQueriesWithLimitsAreCombined() throws {
    let oldest = all.order(by: \.$age, .descending).limit(2)
    let first = all.order(by: \.$name).limit(2)
    let both = oldest.union(first).bound(to: test.store)
    #expect(try both.all().map(\.name).sorted() == ["Ada", "Ben", "Dora"])
    #expect(try oldest.intersect(first).bound(to: test.store).all().map(\.name) == ["Ada"])
    #expect(try names(oldest.except(first).bound(to: test.store)) == ["Dora"])
  }

  @Test func combinationsAreCombinedAgain() throws {
    let ada = all.where { $0.$name == "Ada" }
    let old = all.where { $0.$age > 30 }
    let query = residents.where { $0.$age < 30 }.union(old.except(ada)).intersect(
      all.where { $0.$name != "Cleo" })
    #expect(try names(query) == ["Ben", "Dora"])
    #expect(try names(query.where { $0.$age > 18 }) == ["Dora"])
    #expect(
      try names(query.where { !$0.$friends.contains { $0.$name == "Ada" } }) == ["Ben", "Dora"])
  }

  @Test func combinationsOfClosuresKeepTheirRows() throws {
    let people = try residents.all()
    people[0].friends = [people[1], people[2]]
    people[3].friends = [people[0]]
    try test.store.update(contentsOf: people)
    let popular = all.where { person in
      MagicQuery(Resident.self).exists { $0.$friends.contains { $0.$name == person.$name.outer() } }
    }
    #expect(
      try names(residents.where { $0.$friends.count > 1 }.union(popular)) == ["Ada", "Ben", "Cleo"])
    #expect(try names(residents.except(popular)) == ["Dora"])
  }

  @Test func combinationsAreSubqueriesAndWritten() throws {
    let young = all.where { $0.$age == 18 }
    let old = all.where { $0.$age == 70 }
    let ends = young.union(old)
    #expect(try residents.where { $0.$age > ends.min(\.$age) }.count() == 2)
    #expect(try residents.where { $0.$age == 36 }.union(old).update(set: \.$level, to: 3) == 2)
    #expect(try residents.where(\.$level == 3).count() == 2)
    #expect(
      try residents.where { $0.$age == 36 }.union(young).except(all.where(\.$name == "Ben"))
        .delete() == 2)
    #expect(try names(residents) == ["Ben", "Dora"])
  }

  @Test func aBoundQueryMayHaveALimit() throws {
    let oldest = residents.order(by: \.$name).limit(2)
    let named = all.where { $0.$nick != nil }
    #expect(try names(oldest.union(named)) == ["Ada", "Ben", "Dora"])
    #expect(try names(oldest.intersect(named)) == ["Ben"])
    #expect(try names(residents.where { $0.$age < 40 }.offset(1).except(named)) == ["Cleo"])
    #expect(code { try residents.union(all.limit(-1)).all() } == .invalidQuery)
  }

  @Test func descendantsAndFirstRowsAreCombined() throws {
    let ann = Worker("Ann")
    let (bob, cid) = (Worker("Bob", pay: 2, under: ann), Worker("Cid", pay: 3, under: ann))
    try test.store.update(ann, bob, cid, Worker("Dan", pay: 3, under: bob))
    let workers = test.store.query(Worker.self).order(by: \.$name)
    let under = MagicQuery(Worker.self).descendants(of: bob, by: \.$manager)
    #expect(try names(workers.where { $0.$pay == 3 }.except(under)) == ["Cid"])
    #expect(
      try names(workers.descendants(of: ann, by: \.$reports).except(under)) == ["Bob", "Cid"])
    let best = workers.descendants(of: ann, by: \.$reports)
      .top(1) { .partition(by: $0.depth).order(by: $0.$pay, .descending) }
    #expect(try names(best) == ["Cid", "Dan"])
    #expect(try names(best.where { $0.depth == 1 }) == ["Cid"])
    let first = workers.where { $0.$pay > 2 }.union(MagicQuery(Worker.self).where { $0.$pay == 0 })
      .top(1) { .partition(by: $0.$pay).order(by: $0.$name) }
    #expect(try names(first) == ["Ann", "Cid"])
  }

  private func names(_ query: MagicQuery<Worker, MagicObjectStore>) throws -> [String] {
    let names = try query.select(\.$name).all()
    #expect(try query.count() == names.count)
    return names
  }
}
