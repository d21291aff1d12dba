import EngineConformance
import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import Testing

/// Has columns of the same names as a sailor, and a date.
private struct Berth: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @OptionMagicValue var tenant: Sailor?
  @MagicValue var since: Date = Date(timeIntervalSinceReferenceDate: 0)
  @OptionMagicValue var until: Date?

  init() {}
  init(_ name: String, age: Int = 0, tenant: Sailor? = nil) {
    self.name = name
    self.age = age
    self.tenant = tenant
  }
}

/// Columns in statements that name several tables.
@Suite struct QualifiedColumnTests {
  private let fleet: Fleet
  private let ada: Sailor

  init() throws {
    fleet = try Fleet.manned()
    ada = try fleet.store.object(of: Sailor.self, primary: "ada")
    try fleet.store.update(contentsOf: [
      Berth("Bow", age: 3, tenant: ada), Berth("Stern", age: 36),
    ])
  }

  @Test func aColumnOfOneTableIsNotQualified() throws {
    let statement = fleet.store.sql(
      "SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) WHERE \(column: \Sailor.$age) > 40"
    )
    #expect(try statement.rows(String.self) == ["Cy"])
    #expect(fleet.log.work.last == "SELECT \"name\" FROM \"Sailor\" WHERE \"age\" > 40")
  }

  @Test func aNameThatTwoTablesHaveIsQualified() throws {
    let rows = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name), \(column: \Berth.$name), \(column: \Berth.$tenant)
      FROM \(table: Sailor.self) JOIN \(table: Berth.self)
      ON \(column: \Berth.$tenant) = \(table: Sailor.self).z_index
      """
    ).rows(String.self, String.self, Int.self)
    #expect(rows.map { $0.0 } == ["Ada"])
    #expect(rows.map { $0.1 } == ["Bow"])
    #expect(
      fleet.log.work.last?.contains("\"Sailor\".\"name\", \"Berth\".\"name\", \"tenant\"") == true)
  }

  @Test func theAliasOfTheTableIsTheQualifier() throws {
    let names = try fleet.store.sql(
      """
      SELECT \(column: \Berth.$name) FROM \(table: Sailor.self) AS s, \(table: Berth.self) b
      WHERE \(column: \Sailor.$age) = \(column: \Berth.$age) AND \(column: \Sailor.$name) > \("")
      """
    ).rows(String.self)
    #expect(names == ["Stern"])
    #expect(fleet.log.work.last?.contains("\"s\".\"age\" = \"b\".\"age\"") == true)
  }

  @Test func aColumnOfTheOuterTableIsNotReadFromTheInnerOne() throws {
    // Without a qualifier, SQLite compares the name of the berth with itself.
    let names = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) WHERE EXISTS (
        SELECT 1 FROM \(table: Berth.self)
        WHERE \(column: \Berth.$age) = \(column: \Sailor.$age))
      """
    ).rows(String.self)
    #expect(names == ["Ada"])
  }

  @Test func aSubqueryOnTheSameTypeReadsItsOwnTable() throws {
    let names = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) WHERE \(column: \Sailor.$age) = (
        SELECT max(\(column: \Sailor.$age)) FROM \(table: Sailor.self))
      """
    ).rows(String.self)
    #expect(names == ["Cy"])
  }

  @Test func theQualifierCanBeNamed() throws {
    let rows = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name, of: "a"), \(column: \Sailor.$name, of: "b")
      FROM \(table: Sailor.self) a JOIN \(table: Sailor.self) b
      ON \(column: \Sailor.$age, of: "a") > \(column: \Sailor.$age, of: "b") + \(10)
      """
    ).rows(String.self, String.self)
    #expect(rows.map { $0.0 + $0.1 }.sorted() == ["AdaBob", "CyBob"])
  }

  @Test func aColumnOfATableThatIsNamedTwiceIsAnError() throws {
    try fleet.expect(
      .invalidQuery,
      "The SQL names the table of Sailor 2 times, so a column of it is ambiguous. Give each table an "
        + "alias, and name it: \\(column: …, of: \"alias\").",
      of: """
        SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) a JOIN \(table: Sailor.self) b
        """)
  }

  @Test func partsOfACompoundSelectReadTheirOwnTables() throws {
    let names = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) WHERE \(column: \Sailor.$age) > 40
      UNION SELECT \(column: \Berth.$name) FROM \(table: Berth.self)
      UNION SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self)
      WHERE \(column: \Sailor.$age) < 30 ORDER BY 1
      """
    ).rows(String.self)
    #expect(names == ["Bob", "Bow", "Cy", "Stern"])
  }

  @Test func namesOfAnInsertOrUpdateAreNotQualified() throws {
    try fleet.store.sql(
      """
      INSERT INTO \(table: Berth.self) (\(column: \Berth.$name), \(column: \Berth.$age), since)
      SELECT \(column: \Sailor.$name), \(column: \Sailor.$age), 0 FROM \(table: Sailor.self)
      WHERE \(column: \Sailor.$name) = \("Cy")
      """
    ).run()
    try fleet.store.sql(
      """
      UPDATE \(table: Berth.self) SET \(column: \Berth.$name) = 'x', \(column: \Berth.$age) = (
        SELECT \(column: \Sailor.$age) + 1 FROM \(table: Sailor.self)
        WHERE \(column: \Sailor.$name) = \(column: \Berth.$name))
      WHERE \(column: \Berth.$name) = \("Cy")
      """
    ).run()
    let ages = try fleet.store.query(Berth.self).where(\.$name == "x").all().map(\.age)
    #expect(ages == [42])
  }

  @Test func aTypeWithoutATableIsQualifiedToo() throws {
    let fleet = try Fleet()
    try fleet.store.update(Sailor("Ada"))
    let rows = try fleet.store.sql(
      """
      SELECT \(column: \Sailor.$name) FROM \(table: Sailor.self) LEFT JOIN \(table: Berth.self)
      ON \(column: \Berth.$name) = \(column: \Sailor.$name)
      """
    ).rows(String.self)
    #expect(rows == ["Ada"])
  }

  @Test func aRowIsAllColumnsOfItsType() throws {
    let objects = try fleet.store.sql(
      """
      SELECT \(row: Sailor.self) FROM \(table: Sailor.self), \(table: Berth.self)
      WHERE \(column: \Berth.$tenant) = \(table: Sailor.self).z_index
      """
    ).objects(of: Sailor.self)
    #expect(objects.map(\.name) == ["Ada"])
    let rows = try fleet.store.sql(
      "SELECT \(row: Sailor.self, of: "s") FROM Sailor s WHERE id = 'cy'"
    ).rows()
    #expect(rows.map(\.columns) == [["z_index", "id", "name", "age", "rank", "pay"]])
    #expect(rows.first?["name"] == .text("Cy"))
  }

  /// The two scalars of an accented quote are one `Character` in Swift, and a quote in SQL.
  @Test func aFormatWithAnAccentedQuoteIsPartOfTheFormat() throws {
    let berth = Berth("Mid")
    berth.since = Date(timeIntervalSince1970: 0)
    try fleet.store.update(berth)
    let text = try fleet.store.sql(
      """
      SELECT \(date: \Berth.$since, format: "'\u{301}%Y") FROM \(table: Berth.self)
      WHERE \(column: \Berth.$name) = \("Mid")
      """
    ).value(String.self)
    #expect(text.map { Array($0.unicodeScalars) } == Array("'\u{301}1970".unicodeScalars))
  }

  @Test func datesAreConvertedForFunctionsOfTheDatabase() throws {
    let date = try Date("2024-05-06T07:08:09Z", strategy: .iso8601)
    let berth = Berth("Mid")
    berth.since = date
    try fleet.store.update(berth)
    let row = try fleet.store.sql(
      """
      SELECT \(date: \Berth.$since, format: "%Y-%m"), \(unixTime: \Berth.$since, of: "b"),
      \(date: \Berth.$until, format: "it's %Y"), \(column: \Berth.$since)
      FROM \(table: Berth.self) b WHERE \(column: \Berth.$name) = \("Mid")
      """
    ).row(String.self, Double.self, String?.self, Date.self)
    #expect(try #require(row) == ("2024-05", date.timeIntervalSince1970, nil, date))
    let groups = try fleet.store.sql(
      """
      SELECT \(date: \Berth.$since, format: "%Y"), count(*) FROM \(table: Berth.self)
      GROUP BY \(date: \Berth.$since, format: "%Y") ORDER BY 1
      """
    ).rows(String.self, Int.self)
    #expect(groups.map { $0.0 } == ["2001", "2024"])
    #expect(groups.map { $0.1 } == [2, 1])
  }
}
