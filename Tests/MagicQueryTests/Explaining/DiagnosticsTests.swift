import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Diagnostics of slow queries.
@Suite struct DiagnosticsTests {
  private let reported = Recorder<MagicDiagnosis>()

  private func fleet(count: Int, _ diagnostics: MagicDiagnostics? = nil) throws -> Fleet {
    let diagnostics = diagnostics ?? MagicDiagnostics { [reported] in reported.note($0) }
    let fleet = try Fleet(MagicOptions(diagnostics: diagnostics))
    try fleet.store.update(contentsOf: (0..<count).map { Sailor("s\($0)", age: $0) })
    return fleet
  }

  @Test func aFullScanOfALargeTableIsReportedOnce() throws {
    let fleet = try fleet(count: 1_200)
    for age in 0..<3 {
      #expect(
        try fleet.store.sql("SELECT name FROM Sailor WHERE age = \(age)").rows(String.self)
          == ["s\(age)"])
    }
    #expect(reported.all.count == 1)
    let diagnosis = try #require(reported.all.first)
    #expect(diagnosis.kind == .fullScan)
    #expect(
      diagnosis.message == "Full scan of Sailor: a statement with a condition read 1199 rows.")
    #expect(diagnosis.advice == "Sailor: @MagicValue(.indexed) var age")
    #expect(diagnosis.sql == "SELECT name FROM Sailor WHERE age = ?")
    _ = try fleet.store.sql("SELECT name FROM Sailor WHERE rank = \("x")").rows()
    #expect(reported.all.count == 2)
    try fleet.store.sql("UPDATE Sailor SET pay = 1 WHERE rank = \("y")").run()
    #expect(reported.all.count == 3)
  }

  @Test func aQueryThatScansALargeTableIsReportedOncePerShape() throws {
    let fleet = try fleet(count: 1_200)
    let sailors = fleet.store.query(Sailor.self)
    for age in 0..<3 {
      #expect(try sailors.where(\.$age == age).all().map(\.name) == ["s\(age)"])
    }
    #expect(reported.all.count == 1)
    let diagnosis = try #require(reported.all.first)
    #expect(diagnosis.kind == .fullScan)
    #expect(diagnosis.advice == "Sailor: @MagicValue(.indexed) var age")
    #expect(diagnosis.sql?.hasSuffix("WHERE t0.\"age\" = ?1") == true)
    #expect(try sailors.where(\.$rank == "x").count() == 0)
    #expect(reported.all.count == 2)
    #expect(reported.all[1].advice == "Sailor: @OptionMagicValue(.indexed) var rank")
    #expect(try sailors.where(\.$pay == 3).exists() == false)
    #expect(try sailors.where(\.$age < 0).sum(\.$age) == 0)
    #expect(try sailors.where(\.$age < 0).select(\.$name).all().isEmpty)
    #expect(reported.all.count == 5)
    #expect(try sailors.where(\.$age < 0).update(set: \.$age, to: 1) == 0)
    #expect(try sailors.where(\.$age < 0).delete() == 0)
    #expect(reported.all.count == 7)
    #expect(reported.all.allSatisfy { $0.kind == .fullScan && $0.advice != nil })
  }

  @Test func anAggregateOfAllRowsIsNotReported() throws {
    let options = MagicOptions(diagnostics: MagicDiagnostics { [reported] in reported.note($0) })
    let test = try TestStore(options: options)
    let store = test.store
    let product = ShopProduct("Tea", 4, ShopCategory("Drinks"))
    try store.update(
      contentsOf: (0..<1_200).map {
        ShopOrder("\($0)", by: "Bob", "2024-01-01", [ShopLine(product, 1)])
      })
    let lines = store.query(ShopLine.self)
    #expect(try lines.sum { $0.$price * $0.$quantity.as(Double.self) } == 4_800)
    #expect(try lines.sum { $0.$product.$price } == 4_800)
    #expect(try lines.grouped { $0.$product.$category.$name }.count().count == 1)
    let orders = store.query(ShopOrder.self)
    #expect(try orders.sum { $0.$lines.sum { $0.$quantity } } == 1_200)
    #expect(try orders.select { $0.$lines.count { $0.$quantity > 0 } }.all().count == 1_200)
    #expect(reported.all.isEmpty)
    #expect(try lines.where { $0.$quantity % 2 == 0 }.sum(\.$price) == 0)
    let copies = try store.sql(
      "SELECT a.z_index FROM ShopLine AS a JOIN ShopLine AS b ON a.quantity = b.price"
    ).rows()
    #expect(copies.isEmpty)
    #expect(reported.all.count == 2)
  }

  @Test func groupsOfLimitedRowsAreNotReported() throws {
    let fleet = try fleet(count: 1_200)
    let sailors = fleet.store.query(Sailor.self)
    #expect(try sailors.order(by: \.$age).limit(3).grouped(by: \.$rank).count().map(\.count) == [3])
    #expect(try sailors.order(by: \.$age).offset(1).select(\.$rank).distinct().all().count == 1)
    #expect(reported.all.isEmpty)
    let some = sailors.where(\.$age > 5).order(by: \.$age).limit(3)
    #expect(try some.grouped(by: \.$rank).count().map(\.count) == [3])
    #expect(reported.all.map(\.kind) == [.fullScan])
    _ = try fleet.store.sql(
      "SELECT name FROM Sailor WHERE pay IN (SELECT pay FROM Sailor WHERE age = \(3))"
    ).rows()
    #expect(reported.all.count == 2)
  }

  @Test func aScanAfterTheScanOfAnIndexIsReported() throws {
    let fleet = try fleet(count: 1_200)
    try fleet.store.sql("CREATE INDEX ages ON Sailor (age)").run()
    let ages = try fleet.store.sql(
      """
      SELECT (SELECT count(*) FROM Sailor AS b WHERE b.rank > a.age) FROM Sailor AS a \
      INDEXED BY ages LIMIT 2
      """
    ).rows(Int.self)
    #expect(ages == [0, 0])
    #expect(reported.all.map(\.kind) == [.fullScan])
  }

  @Test func aQueryThatUsesAnIndexIsNotReported() throws {
    let fleet = try Fleet(
      MagicOptions(diagnostics: MagicDiagnostics { [reported] in reported.note($0) }))
    try fleet.store.update(contentsOf: (0..<1_200).map { Cargo("c\($0)") })
    let cargo = fleet.store.query(Cargo.self)
    #expect(try cargo.where(\.$name == "c7").count() == 1)
    #expect(try cargo.where(\.$name > "c998").order(by: \.$name).all().map(\.name) == ["c999"])
    #expect(try cargo.where(\.$name == "c7" || \.$name == "c8").all().count == 2)
    #expect(try cargo.all().count == 1_200)
    #expect(try cargo.order(by: \.$port).first() != nil)
    #expect(try cargo.count() == 1_200)
    #expect(try cargo.where(\.$name == "c7").delete() == 1)
    #expect(reported.all.isEmpty)
  }

  @Test func aStreamOfAllObjectsIsNotReported() async throws {
    let fleet = try fleet(count: 1_200)
    var count = 0
    for try await _ in TaskReader(store: fleet.store).query(Sailor.self).stream() { count += 1 }
    #expect(count == 1_200)
    #expect(reported.all.isEmpty)
  }

  @Test func aSmallTableMayBeScanned() throws {
    let fleet = try fleet(count: 900)
    _ = try fleet.store.sql("SELECT name FROM Sailor WHERE age = \(1)").rows()
    #expect(reported.all.isEmpty)
  }

  @Test func aQueryForAllRowsMayScan() throws {
    let fleet = try fleet(count: 1_200)
    #expect(try fleet.store.object(of: Sailor.self).count == 1_200)
    #expect(try fleet.store.first(of: Sailor.self) { $0.age == 1_199 } != nil)
    #expect(try fleet.store.sql("SELECT * FROM Sailor").rows().count == 1_200)
    #expect(try fleet.store.sql("SELECT sum(age) FROM Sailor").rows().count == 1)
    #expect(try fleet.store.sql("SELECT name FROM Sailor WHERE id = \("s1")").rows().count == 1)
    #expect(reported.all.isEmpty)
  }

  @Test func manySingleLookUpsByKeyAreReportedWithTheirOwnAdvice() throws {
    let fleet = try fleet(
      count: 1, MagicDiagnostics(lookUpSeconds: 60) { [reported] in reported.note($0) })
    for number in 0..<50 { _ = try fleet.store.has(of: Berth.self, key: "north", number) }
    #expect(reported.all.map(\.kind) == [.singleLookUps])
    #expect(reported.all.map(\.advice) == ["object(of: Berth.self, keys: keys)"])
  }

  @Test func manySingleLookUpsAreReportedOnce() throws {
    let fleet = try fleet(
      count: 60, MagicDiagnostics(lookUpSeconds: 60) { [reported] in reported.note($0) })
    for index in 0..<49 { _ = try fleet.store.object(of: Sailor.self, primary: "s\(index)") }
    #expect(reported.all.isEmpty)
    for _ in 0..<3 { _ = try fleet.store.object(of: Sailor.self, primary: "s50") }
    #expect(reported.all.count == 1)
    let diagnosis = try #require(reported.all.first)
    #expect(diagnosis.kind == .singleLookUps)
    #expect(diagnosis.advice == "object(of: Sailor.self, primaries: primaries)")
    for _ in 0..<100 { _ = try fleet.store.object(of: Sailor.self, primary: "s50") }
    #expect(reported.all.count == 1)
  }

  @Test func lookUpsAtLongIntervalsAreNotReported() throws {
    let fleet = try fleet(
      count: 3,
      MagicDiagnostics(lookUpLimit: 3, lookUpSeconds: 0.02) { [reported] in reported.note($0) })
    for _ in 0..<6 {
      _ = try fleet.store.object(of: Sailor.self, primary: "s1")
      Thread.sleep(forTimeInterval: 0.03)
    }
    #expect(reported.all.isEmpty)
  }

  @Test func checkingTheExistenceOfAnObjectIsALookUp() throws {
    let fleet = try fleet(
      count: 3,
      MagicDiagnostics(lookUpLimit: 4, lookUpSeconds: 60) { [reported] in reported.note($0) })
    for _ in 0..<3 { #expect(try fleet.store.has(of: Sailor.self, primary: "s1")) }
    #expect(reported.all.isEmpty)
    #expect(try fleet.store.has(of: Sailor.self, primary: "nobody") == false)
    #expect(reported.all.map(\.kind) == [.singleLookUps])
  }

  @Test func aFetchOfManyPrimariesIsOneLookUp() throws {
    let fleet = try fleet(
      count: 60, MagicDiagnostics(lookUpSeconds: 60) { [reported] in reported.note($0) })
    #expect(
      try fleet.store.object(of: Sailor.self, primaries: (0..<60).map { "s\($0)" }).count == 60)
    #expect(reported.all.isEmpty)
  }

  @Test func withoutDiagnosticsNothingIsReported() throws {
    let fleet = try Fleet()
    try fleet.store.update(contentsOf: (0..<1_200).map { Sailor("s\($0)", age: $0) })
    #expect(
      try fleet.store.sql("SELECT name FROM Sailor WHERE age = \(5)").rows(String.self) == ["s5"])
  }
}

/// Reads as a task does.
struct TaskReader: AsyncMagicDatabaseReader {
  let store: MagicObjectStore

  func _read<Result: Sendable>(
    _ body: @Sendable (borrowing _MagicReadAccess) throws -> Result
  ) async throws -> Result {
    try await store.database.reading { try body(_MagicReadAccess($0)) }
  }
}

private struct Berth: MagicObject {
  static var key: MagicKey<Berth> { MagicKey(\.$pier, \.$number) }

  @MagicValue var pier: String
  @MagicValue var number: Int

  init() {}
}
