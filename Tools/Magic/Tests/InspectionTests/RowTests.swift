import MagicInspection
import Testing
import ToolTestSupport

@Suite struct RowTests {
  private static let items =
    library("name TEXT, size INTEGER", properties: [("name", "text"), ("size", "integer")]) + """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
      INSERT INTO Item SELECT i, 'item ' || i, CASE i % 5 WHEN 0 THEN NULL ELSE i % 4 END FROM n;
      CREATE INDEX "Item(size)" ON Item (size);
      """

  @Test(arguments: [nil, "name", "size"], [false, true])
  func pagesInBothDirectionsHaveEveryRowOnce(_ sorting: String?, _ isDescending: Bool) throws {
    try reading(Self.items) { reader, database in
      let type = database.types[0]
      var request = RowRequest(
        sorting: sorting.flatMap(type.column(named:)), isDescending: isDescending, limit: 100)
      let all = try reader.page(of: type, request).rows.map(\.rowID)
      #expect(Set(all).count == 25)
      request.limit = 4
      var pages: [RowPage] = []
      repeat {
        let page = try reader.page(of: type, request)
        pages.append(page)
        request.position = page.next
      } while request.position != nil
      #expect(pages.flatMap(\.rows).map(\.rowID) == all)
      #expect(pages.map { $0.previous != nil } == [false] + Array(repeating: true, count: 6))
      for index in pages.indices.dropFirst().reversed() {
        request.position = pages[index].previous
        let page = try reader.page(of: type, request)
        #expect(page.rows == pages[index - 1].rows)
        #expect((page.previous == nil) == (index == 1))
        #expect(page.next != nil)
      }
    }
  }

  @Test func theOrderIsThatOfSQLite() throws {
    try reading(Self.items) { reader, database in
      let type = database.types[0]
      let size = type.column(named: "size")
      for isDescending in [false, true] {
        let direction = isDescending ? "DESC" : ""
        let expected = try reader.query(
          "SELECT z_index FROM Item ORDER BY size \(direction), z_index \(direction)")
        let page = try reader.page(
          of: type, RowRequest(sorting: size, isDescending: isDescending, limit: 100))
        #expect(page.rows.map(\.rowID) == expected.rows.map { $0[0].integer })
      }
    }
  }

  @Test func filtersSelectRows() throws {
    try reading(Self.items) { reader, database in
      let type = database.types[0]
      let (name, size) = (type.columns[0], type.columns[1])
      func count(_ filters: RowFilter...) throws -> Int {
        let rows = try reader.page(of: type, RowRequest(filters: filters, limit: 100)).rows.count
        #expect(try reader.count(of: type, filters: filters) == .exact(rows))
        return rows
      }
      #expect(try count(RowFilter(size, .isNull)) == 5)
      #expect(try count(RowFilter(size, .isNotNull)) == 20)
      #expect(try count(RowFilter(name, .contains, .init(.text("M 2")))) == 7)
      #expect(try count(RowFilter(name, .hasPrefix, .init(.text("item 1")))) == 11)
      #expect(try count(RowFilter(name, .contains, .init(.text("%")))) == 0)
      #expect(try count(RowFilter(name, .contains, .init(.text("_")))) == 0)
      let two = try InspectedValue(typed: "2", for: size)
      #expect(
        try count(RowFilter(size, .less, two)) + count(RowFilter(size, .greaterOrEqual, two)) == 20)
      #expect(
        try count(RowFilter(size, .equal, two)) + count(RowFilter(size, .notEqual, two)) == 25)
      #expect(try count(RowFilter(size, .equal, two), RowFilter(size, .isNull)) == 0)
    }
  }

  @Test func typedTextIsConvertedByTheFormOfTheColumn() throws {
    try Fixture.columns.reading { reader, database in
      let person = try database.type(named: "Person")
      let born = try #require(person.column(named: "born"))
      let day = try InspectedValue(typed: "2000-12-22", for: born)
      let filter = RowFilter(born, .greaterOrEqual, day)
      let count = try reader.count(of: person, filters: [filter]).number
      #expect(count == 23)
      #expect(inspectionError { _ = try InspectedValue(typed: "soon", for: born) } == .invalidInput)
      let job = try #require(person.column(named: "job"))
      #expect(inspectionError { _ = try InspectedValue(typed: "a", for: job) } == .invalidInput)
    }
  }

  @Test func facetsAreTheMostFrequentValues() throws {
    try reading(Self.items) { reader, database in
      let type = database.types[0]
      let size = type.columns[1]
      let facets = try reader.facets(of: size, in: type, limit: 3)
      #expect(facets.facets.map(\.count) == [5, 5, 5])
      #expect(facets.hasMore)
      #expect(facets.sampleSize == nil)
    }
  }

  @Test func aRowCountHasALimitOfTime() throws {
    let sql =
      library("a TEXT") + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
        INSERT INTO Item SELECT i, i FROM n;
        """
    try reading(sql) { reader, database in
      let type = database.types[0]
      #expect(try reader.count(of: type, within: .seconds(60)) == .exact(300_000))
      let filter = RowFilter(type.columns[0], .contains, .init(.text("x")))
      #expect(try reader.count(of: type, filters: [filter], within: .zero) == .atMost(300_000))
      let sampled = try reader.facets(of: type.columns[0], in: type, within: .zero, sample: 10)
      #expect(sampled.sampleSize == 10)
    }
  }

  @Test func largeValuesAreTruncated() throws {
    let sql =
      library("a TEXT, b BLOB") + """
        INSERT INTO Item VALUES (1, replace(hex(zeroblob(600000)), '0', 'é'), zeroblob(1000000)),
          (2, replace(hex(zeroblob(600001)), '0', 'é'), NULL);
        """
    try reading(sql) { reader, database in
      reader.valueLimit = 1_001
      let values = try reader.page(of: database.types[0], RowRequest()).rows[0].values
      #expect(values[0].isTruncated)
      #expect(values[0].byteCount == 2_400_000)
      #expect(values[0].text == String(repeating: "é", count: 500))
      #expect(values[1].bytes?.count == 1_001)
      // A page begins after the whole value, not after its first part.
      let sorting = database.types[0].columns[0]
      let first = try reader.page(
        of: database.types[0], RowRequest(sorting: sorting, limit: 1))
      let next = try reader.page(
        of: database.types[0], RowRequest(sorting: sorting, position: first.next))
      #expect(next.rows.map(\.rowID) == [2])
    }
  }
}
