import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

@Suite(.everyEngine) struct SelectionTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func aggregatesAreTyped() throws {
    let residents = test.store.query(Resident.self)
    let sum: Int = try residents.sum(\.$age)
    #expect(sum == 142)
    #expect(try residents.sum(\.$height) == 3.2)
    #expect(try residents.sum { $0.$age * 2 } == 284)
    #expect(try residents.average(\.$age) == 35.5)
    #expect(try residents.average(\.$height) == 1.6)
    #expect(try residents.min(\.$name) == "Ada")
    #expect(try residents.max(\.$name) == "Dora")
    #expect(try residents.min(\.$height) == 1.5)
    #expect(try residents.max { $0.$age + 1 } == 71)
  }

  @Test func aggregatesOfNoRowsAreZeroOrNil() throws {
    let none = test.store.query(Resident.self).where(\.$age > 100)
    #expect(try none.sum(\.$age) == 0)
    #expect(try none.sum(\.$weight) == 0)
    #expect(try none.average(\.$age) == nil)
    #expect(try none.min(\.$name) == nil)
    #expect(try none.max(\.$height) == nil)
  }

  @Test func aSumOutOfRangeIsAnError() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: [Resident("a", age: .max), Resident("b", age: 1)])
    #expect(code { try test.store.query(Resident.self).sum(\.$age) } == .cannotEncode)
  }

  @Test func selectedColumnsAreTuples() throws {
    let query = MagicQuery(Resident.self).order(by: \.$name).select(\.$name, \.$age, \.$nick)
    #expect(
      try query.sql
        == "SELECT t0.\"name\", t0.\"age\", t0.\"nick\" FROM \"Resident\" AS t0 "
        + "ORDER BY t0.\"name\", t0.\"z_index\"")
    let rows: [(String, Int, String?)] = try test.store.query(Resident.self).order(by: \.$name)
      .select(\.$name, \.$age, \.$nick).all()
    #expect(rows.map(\.0) == ["Ada", "Ben", "Cleo", "Dora"])
    #expect(rows.map(\.1) == [36, 18, 18, 70])
    #expect(rows.map(\.2) == [nil, "benny", nil, "100%_\\"])
    let names: [String] = try test.store.query(Resident.self).order(by: \.$name).select(\.$name)
      .all()
    #expect(names == ["Ada", "Ben", "Cleo", "Dora"])
  }

  @Test func expressionsAreSelectedToo() throws {
    let rows = try test.store.query(Resident.self).where(\.$name == "Ada").select {
      ($0.$name.uppercased(), $0.$age + 1, $0.$age > 30, $0.$height < 1, $0.$homes.count)
    }.all()
    #expect(rows.count == 1)
    #expect(rows[0] == ("ADA", 37, true, false, 0))
  }

  @Test func distinctRowsCountOnce() throws {
    let ages = test.store.query(Resident.self).order(by: \.$age).select(\.$age)
    #expect(try ages.all() == [18, 18, 36, 70])
    #expect(try ages.distinct().all() == [18, 36, 70])
    #expect(try ages.count() == 4)
    #expect(try ages.distinct().count() == 3)
    #expect(try ages.first() == 18)
  }

  @Test func groupsHaveAggregates() throws {
    let groups = test.store.query(Resident.self).order(by: \.$age).grouped(by: \.$age)
    let counts = try groups.count()
    #expect(counts.map(\.key) == [18, 36, 70])
    #expect(counts.map(\.count) == [2, 1, 1])
    #expect(try groups.sum(\.$age).map(\.sum) == [36, 36, 70])
    #expect(try groups.average(\.$height).map(\.average) == [nil, 1.7, 1.5])
    #expect(try groups.min(\.$name).map(\.min) == ["Ben", "Ada", "Dora"])
    #expect(try groups.max(\.$name).map(\.max) == ["Cleo", "Ada", "Dora"])
    #expect(try groups.max(\.$nick).map(\.max) == ["benny", nil, "100%_\\"])
  }

  @Test func groupsAreRestrictedByTheirAggregates() throws {
    let groups = test.store.query(Resident.self).grouped(by: \.$age).having { $0.count > 1 }
    #expect(try groups.count().map(\.key) == [18])
    let rows = try groups.select { ($0.count, $0.max(\.$name), $0.sum(\.$age)) }.all()
    #expect(rows.count == 1)
    #expect(rows[0].key == 18)
    #expect(rows[0].values == (2, "Cleo", 36))
    #expect(
      try groups.select { ($0.count, $0.sum(\.$age)) }.sql
        == "SELECT t0.\"age\", count(*), ifnull(sum(t0.\"age\"), 0) FROM \"Resident\" AS t0 "
        + "GROUP BY t0.\"age\" HAVING count(*) > ?1")
  }

  @Test func severalPropertiesGroupTogether() throws {
    let counts = try test.store.query(Resident.self).grouped(by: \.$age, \.$nick).count()
    #expect(counts.count == 4)
    #expect(counts.contains { $0.key == (18, "benny") && $0.count == 1 })
  }

  /// To the compiler, a tuple with labels is an unused value of a closure without a result.
  @Test func aClosureWithoutExpressionsIsRefused() {
    let residents = test.store.query(Resident.self)
    #expect(code { try residents.select { _ in }.all() } == .invalidQuery)
    #expect(code { try residents.grouped { _ in }.count() } == .invalidQuery)
    #expect(code { try residents.grouped(by: \.$age).select { _ in }.all() } == .invalidQuery)
  }

  @Test func aCollectionThatIsSelectedIsNamedInTheError() throws {
    let residents = test.store.query(Resident.self)
    let failing: [() throws -> Void] = [
      { _ = try residents.select(\.$friends).all() },
      { _ = try residents.select(\.$name, \.$friends).all() },
      { _ = try residents.select { ($0.$name, $0.$friends) }.all() },
      { _ = try residents.grouped(by: \.$friends).count() },
    ]
    for read in failing {
      let error = #expect(throws: MagicError.self) { try read() }
      #expect(error?.code == .invalidQuery)
      #expect(error?.type == "Resident")
      #expect(error?.property == "friends")
      #expect(error?.message.contains("Resident.friends") == true, "\(error as Any)")
    }
  }

  @Test func aComputedExpressionThatIsNoValueNamesItsType() throws {
    let error = #expect(throws: MagicError.self) {
      _ = try test.store.query(Resident.self).select { $0.$home.$members }.all()
    }
    #expect(error?.type == "Home")
    #expect(error?.property == "members")
  }

  @Test func anAggregateIsNotACondition() throws {
    nonisolated(unsafe) var leaked: MagicPredicate<Resident>?
    _ = test.store.query(Resident.self).grouped(by: \.$age).having {
      leaked = $0.count > 1
      return $0.count > 1
    }
    let predicate = try #require(leaked)
    #expect(code { try test.store.query(Resident.self).where(predicate).all() } == .invalidQuery)
  }
}
