import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

@Suite(.everyEngine) struct OrderTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func withoutAnOrderTheSQLHasNone() throws {
    #expect(try !MagicQuery(Resident.self).sql.contains("ORDER"))
  }

  @Test func equalRowsAreInTheOrderOfTheirRowIDs() throws {
    let query = MagicQuery(Resident.self).order(by: \.$age, .descending)
    #expect(try query.sql.hasSuffix(" ORDER BY t0.\"age\" DESC, t0.\"z_index\""))
    #expect(try query.bound(to: test.store).all().map(\.name) == ["Dora", "Ada", "Ben", "Cleo"])
    let both = test.store.query(Resident.self).order(by: \.$age).order(by: \.$name, .descending)
    #expect(try both.all().map(\.name) == ["Cleo", "Ben", "Ada", "Dora"])
  }

  @Test func nilIsFirstAndInDescendingOrderLast() throws {
    let residents = test.store.query(Resident.self)
    #expect(
      try residents.order(by: \.$height).all().map(\.height) == [nil, nil, 1.5, 1.7])
    #expect(
      try residents.order(by: \.$height, .descending).all().map(\.height) == [1.7, 1.5, nil, nil])
  }

  @Test func rowsAreOrderedByAnExpression() throws {
    let query = test.store.query(Resident.self).order { -$0.$age }
    #expect(try query.all().first?.name == "Dora")
    #expect(try query.first()?.name == "Dora")
  }

  @Test func aRandomOrderHasAllRows() throws {
    let query = MagicQuery(Resident.self).order(.random)
    #expect(try query.sql.hasSuffix(" ORDER BY random()"))
    #expect(
      Set(try query.bound(to: test.store).all().map(\.name)) == ["Ada", "Ben", "Cleo", "Dora"])
  }

  @Test func limitAndOffsetSelectAPart() throws {
    let query = MagicQuery(Resident.self).order(by: \.$name).limit(2).offset(1)
    #expect(try query.sql.hasSuffix(" LIMIT ?1 OFFSET ?2"))
    let part = query.bound(to: test.store)
    #expect(try part.all().map(\.name) == ["Ben", "Cleo"])
    #expect(try part.first()?.name == "Ben")
    #expect(try part.count() == 2)
    #expect(try part.sum(\.$age) == 36)
    #expect(try part.max(\.$age) == 18)
    #expect(try part.exists())
    #expect(try part.limit(0).first() == nil)
    #expect(try part.limit(0).exists() == false)
    #expect(try test.store.query(Resident.self).order(by: \.$name).offset(3).all().count == 1)
    #expect(try test.store.query(Resident.self).offset(9).count() == 0)
  }

  @Test func aNegativeLimitIsAnErrorOfTheTerminalOperation() throws {
    #expect(code { try test.store.query(Resident.self).limit(-1).all() } == .invalidQuery)
    #expect(
      code { try test.store.query(Resident.self).offset(-1).limit(1).count() } == .invalidQuery)
    #expect(code { try MagicQuery(Resident.self).limit(-1).sql } == .invalidQuery)
  }
}
