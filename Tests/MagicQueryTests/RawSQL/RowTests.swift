import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import Testing

/// The types of values in rows.
@Suite struct RowTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func rowsAreTuplesOfTheGivenTypes() throws {
    let rows = try fleet.store.sql("SELECT name, rank, age FROM Sailor ORDER BY age")
      .rows(String.self, String?.self, Int.self)
    #expect(rows.map { $0.0 } == ["Bob", "Ada", "Cy"])
    #expect(rows.map { $0.1 } == [nil, "captain", "cook"])
    #expect(rows.map { $0.2 } == [25, 36, 41])
    #expect(fleet.log.work.last == "SELECT name, rank, age FROM Sailor ORDER BY age")
  }

  @Test func noRowsAreAnEmptyArray() throws {
    let none = fleet.store.sql("SELECT name, age FROM Sailor WHERE age > \(99)")
    #expect(try none.rows(String.self, Int.self).isEmpty)
    #expect(try none.rows().isEmpty)
    #expect(try none.row(String.self, Int.self) == nil)
  }

  @Test func aRowIsTheFirst() throws {
    let row = try fleet.store.sql("SELECT name, age FROM Sailor ORDER BY age").row(
      String.self, Int.self)
    #expect(try #require(row) == ("Bob", 25))
  }

  @Test func aValueIsTheFirstRowsOneColumn() throws {
    #expect(try fleet.store.sql("SELECT count(*) FROM Sailor").value(Int.self) == 3)
    #expect(
      try fleet.store.sql("SELECT age FROM Sailor WHERE name = \("?")").value(Int.self) == nil)
    #expect(try fleet.store.sql("SELECT max(pay) FROM Sailor").value(Double.self) == nil)
  }

  @Test func untypedRowsHaveSQLitesTypes() throws {
    let rows = try fleet.store.sql("SELECT name AS who, rank, age, 1.5, x'0102' FROM Sailor").rows()
    #expect(rows[1].columns == ["who", "rank", "age", "1.5", "x'0102'"])
    #expect(
      rows[1].values == [.text("Bob"), .null, .integer(25), .real(1.5), .blob(Data([1, 2]))])
    #expect(rows[0]["who"] == .text("Ada"))
    #expect(rows[0]["nobody"] == nil)
  }

  @Test func anUntypedValueMayBeBetweenTypedOnes() throws {
    let rows = try fleet.store.sql("SELECT name, rank FROM Sailor ORDER BY name").rows(
      String.self, MagicSQLValue.self)
    #expect(rows.map { $0.1 } == [.text("captain"), .null, .text("cook")])
  }

  @Test func allTypesAreReadUnchanged() throws {
    let date = Date(timeIntervalSinceReferenceDate: 123.25)
    let uuid = UUID()
    let row = try fleet.store.sql("SELECT \(date), \(uuid), \(Decimal(5)), \(["x": 1]), \(false)")
      .row(Date.self, UUID.self, Decimal.self, [String: Int].self, Bool?.self)
    #expect(try #require(row) == (date, uuid, Decimal(5), ["x": 1], false))
  }

  @Test func nullRefusesATypeThatIsNotOptional() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT name, rank FROM Sailor ORDER BY z_index").rows(
        String.self, String.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(
      error?.message
        == "Column rank of row 2: the column holds NULL, not TEXT, and String is not optional.")
    #expect(try fleet.names.count == 3)
  }

  @Test func theErrorOfAnotherTypeNamesColumnAndRow() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT age, name AS who FROM Sailor").rows(Int.self, Int.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(error?.message == "Column who of row 1: the column holds TEXT, not INTEGER.")
    #expect(error?.cause is MagicalError)
  }

  @Test func aNumberOutOfRangeIsRefused() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT 300 AS big").value(UInt8.self)
    }
    #expect(error?.message == "Column big of row 1: the integer is out of range for UInt8.")
  }

  @Test func brokenTextIsRefused() throws {
    let statement = fleet.store.sql("SELECT CAST(x'FF' AS TEXT) AS broken")
    for read in [{ _ = try statement.rows(String.self) }, { _ = try statement.rows() }] {
      let error = #expect(throws: MagicError.self) { try read() }
      #expect(error?.message == "Column broken of row 1: the text is not valid UTF-8.")
    }
  }

  @Test func anotherNumberOfColumnsIsRefused() throws {
    let statement = fleet.store.sql("SELECT name, age FROM Sailor")
    for read in [
      { _ = try statement.rows(String.self) },
      { _ = try statement.rows(String.self, Int.self, Int.self) },
      { _ = try statement.value(String.self) },
    ] {
      let error = #expect(throws: MagicError.self) { try read() }
      #expect(error?.code == .invalidQuery)
    }
    // Also if there is no row.
    let none = fleet.store.sql("SELECT name, age FROM Sailor WHERE 0")
    #expect(throws: MagicError.self) { try none.rows(String.self) }
    #expect(try statement.rows(String.self, Int.self).count == 3)
  }

  @Test func anObjectIsNotAColumn() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT z_index FROM Sailor").rows(Sailor.self)
    }
    #expect(error?.code == .cannotDecode)
  }
}
