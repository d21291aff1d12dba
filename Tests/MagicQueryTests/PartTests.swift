import EngineConformance
import MagicQuery
import Testing

/// Groups and distinct rows of a part of the rows, and parts of the groups.
@Suite(.everyEngine) struct PartTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  private var byName: MagicQuery<Resident, MagicObjectStore> {
    test.store.query(Resident.self).order(by: \.$name)
  }

  @Test func aLimitOfTheQuerySelectsTheGroupedRows() throws {
    let two = try byName.limit(2).grouped(by: \.$age).count()
    #expect(two.map(\.key) == [36, 18])
    #expect(two.map(\.count) == [1, 1])
    let rest = byName.where(\.$age < 60).offset(1).grouped(by: \.$age).having { $0.count > 1 }
    #expect(try rest.count().map(\.count) == [2])
    #expect(try rest.select { $0.max(\.$name) }.all().map(\.value) == ["Cleo"])
    #expect(try rest.select { $0.count }.first()?.value == 2)
  }

  @Test func aLimitOfTheQueryIsAppliedBeforeDistinct() throws {
    #expect(try byName.limit(3).select(\.$age).distinct().all() == [36, 18])
    #expect(try byName.limit(3).select(\.$age).distinct().count() == 2)
    #expect(try byName.limit(3).offset(1).select(\.$age).distinct().all() == [18, 70])
    #expect(try byName.limit(3).offset(1).select(\.$age).distinct().first() == 18)
    #expect(try byName.select(\.$age).distinct().first() == 36)
    let computed = test.store.query(Resident.self).order { $0.$age * -1 + 1 }.limit(2)
    #expect(try computed.select { $0.$age + 1 }.distinct().all() == [71, 37])
  }

  @Test func anOrderWithValuesOrdersTheGroupsOfLimitedRows() throws {
    let rows = test.store.query(Resident.self).where { $0.$age.in([18, 36, 70]) }
      .order { $0.$age % 7 + 1 }
      .order { .when($0.$name.in(["Cleo"]) || $0.$name.hasSuffix("x"), then: 1, else: 2) }
      .limit(3)
    #expect(try rows.select(\.$age).distinct().all() == [70, 36, 18])
    #expect(try rows.grouped(by: \.$age).count().map(\.key) == [70, 36, 18])
    let selection = rows.select(\.$name).distinct().order(.descending) { $0.$age * 2 }
    #expect(try selection.all() == ["Dora", "Ada", "Cleo"])
    #expect(try selection.limit(2).all() == ["Dora", "Ada"])
  }

  @Test func groupsHaveAnOrderAndALimitOfTheirOwn() throws {
    let groups = test.store.query(Resident.self).grouped(by: \.$age)
    let largest = groups.order(.descending) { $0.count }.order { $0.max(\.$name) }
    #expect(try largest.count().map(\.key) == [18, 36, 70])
    #expect(try largest.limit(2).count().map(\.key) == [18, 36])
    #expect(try largest.select { $0.sum(\.$age) }.first()?.value == 36)
    #expect(try groups.order { $0.sum(\.$age) * -1 }.limit(1).count().map(\.key) == [70])
    #expect(try largest.limit(0).count().isEmpty)
    #expect(code { try groups.limit(-1).count() } == .invalidQuery)
    let part = byName.limit(3).grouped(by: \.$age).order(.descending) { $0.count }.limit(1)
    #expect(try part.count().map(\.key) == [18])
  }

  @Test func groupsAreOrderedByTheirKeys() throws {
    let residents = test.store.query(Resident.self)
    let groups = residents.grouped(by: \.$age).select { $0.count }
    #expect(try groups.order(by: \.$age, .descending).all().map(\.key) == [70, 36, 18])
    #expect(try groups.order { $0.$age * -1 }.all().map(\.key) == [70, 36, 18])
    let computed = residents.grouped { $0.$age / 20 }.select { $0.count }
    #expect(try computed.order(.descending) { $0.$age / 20 }.all().map(\.key) == [3, 1, 0])
    let streets = residents.grouped(by: \.$home.$street).select { $0.count }
    #expect(try streets.order(by: \.$home.$street).all().map(\.key) == [nil])
  }

  @Test func groupsAreNotOrderedByOtherValues() throws {
    let residents = test.store.query(Resident.self)
    let groups = residents.grouped(by: \.$age).select { $0.count }
    let error = #expect(throws: MagicError.self) { try groups.order(by: \.$name).all() }
    #expect(error?.code == .invalidQuery)
    #expect(error?.message.contains("not one of their keys") == true)
    #expect(code { try groups.order { $0.$age + $0.$id }.all() } == .invalidQuery)
    #expect(code { try groups.order { $0.$friends.count }.all() } == .invalidQuery)
    let computed = residents.grouped { $0.$age / 20 }.select { $0.count }
    #expect(code { try computed.order { $0.$age / 30 }.all() } == .invalidQuery)
    #expect(code { try computed.order(by: \.$age).first() } == .invalidQuery)
    // The order of a query orders its groups, and an aggregate does.
    #expect(
      try residents.order(by: \.$age).grouped(by: \.$age).select { $0.count }.all().count == 3)
  }
}
