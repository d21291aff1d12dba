import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import Testing

/// An interpolation becomes a parameter or a name.
@Suite struct InterpolationTests {
  @Test func aValueIsBoundAndNotInsertedIntoTheText() throws {
    let fleet = try Fleet.manned()
    let evil = "Ada'; DROP TABLE Sailor; --"
    try fleet.store.update(Sailor(evil))
    let statement = fleet.store.sql("SELECT name FROM Sailor WHERE name = \(evil)")
    #expect(statement.description == "SELECT name FROM Sailor WHERE name = ?")
    #expect(try statement.rows(String.self) == [evil])
    #expect(fleet.log.work.last == "SELECT name FROM Sailor WHERE name = ?")
    #expect(try fleet.names.count == 4)
  }

  @Test func everyTypeIsBoundAsItIsStored() throws {
    let fleet = try Fleet()
    let uuid = UUID()
    let statement = fleet.store.sql(
      """
      SELECT \(7), \(true), \(1.5), \("text"), \(Date(timeIntervalSinceReferenceDate: 9)), \
      \(Data([1, 0, 2])), \(uuid), \(["a", "b"]), \(UInt8(200)), \("a\0b")
      """)
    #expect(
      try statement.rows().map(\.values) == [
        [
          .integer(7), .integer(1), .real(1.5), .text("text"), .real(9), .blob(Data([1, 0, 2])),
          .text(uuid.uuidString), .blob(Data("[\"a\",\"b\"]".utf8)), .integer(200),
          .text("a\0b"),
        ]
      ])
  }

  @Test func nilIsNull() throws {
    let fleet = try Fleet()
    let sailor: Sailor? = nil
    let statement = fleet.store.sql(
      "SELECT \(Int?.none) IS NULL, \(Int?.some(3)), \(sailor) IS NULL, \(ZIndex?.none) IS NULL")
    #expect(
      try #require(try statement.row(Bool.self, Int.self, Bool.self, Bool.self)) == (
        true, 3, true, true
      ))
  }

  @Test func anObjectIsBoundAsItsRowID() throws {
    let fleet = try Fleet.manned()
    let bob = try fleet.store.object(of: Sailor.self, primary: "bob")
    #expect(
      try fleet.store.sql("SELECT name FROM Sailor WHERE z_index = \(bob)").rows(String.self)
        == ["Bob"])
    #expect(
      try fleet.store.sql("SELECT name FROM Sailor WHERE z_index = \(bob.zIndex)").value(
        String.self) == "Bob")
    #expect(
      try fleet.store.sql("SELECT z_index FROM Sailor WHERE name = \("Bob")").value(ZIndex.self)
        == bob.zIndex)
  }

  @Test func anUnsavedObjectCannotBeBound() throws {
    let fleet = try Fleet.manned()
    try fleet.expect(.notSaved, of: "SELECT \(Sailor("new"))")
    let other = try Fleet.manned()
    let foreign = try other.store.object(of: Sailor.self, primary: "ada")
    try fleet.expect(.notSaved, of: "SELECT \(foreign)")
    try fleet.expect(.notSaved, of: "SELECT 1 IN \(values: [foreign])")
  }

  @Test func anObjectSavedInTheTransactionCanBeBoundInIt() throws {
    let fleet = try Fleet()
    let ada = Sailor("Ada")
    try fleet.store.transaction { transaction in
      let zIndex = try transaction.update(ada)
      #expect(try transaction.sql("SELECT \(ada)").value(ZIndex.self) == zIndex)
      #expect(try transaction.sql("UPDATE Sailor SET age = 1 WHERE z_index = \(ada)").run() == 1)
    }
    #expect(try fleet.store.sql("SELECT age FROM Sailor").rows(Int.self) == [1])
  }

  @Test func valuesAreAListForIn() throws {
    let fleet = try Fleet.manned()
    let names = fleet.store.sql(
      "SELECT name FROM Sailor WHERE name IN \(values: ["Cy", "Ada", "Nobody"]) ORDER BY name")
    #expect(names.description == "SELECT name FROM Sailor WHERE name IN (?, ?, ?) ORDER BY name")
    #expect(try names.rows(String.self) == ["Ada", "Cy"])
    let none = fleet.store.sql("SELECT name FROM Sailor WHERE name IN \(values: [String]())")
    #expect(none.description == "SELECT name FROM Sailor WHERE name IN ()")
    #expect(try none.rows(String.self) == [])
    let sailors = try fleet.store.object(of: Sailor.self)
    #expect(
      try fleet.store.sql("SELECT count(*) FROM Sailor WHERE z_index IN \(values: sailors[1...])")
        .value(Int.self) == 2)
  }

  @Test func aFragmentIncludesItsValues() throws {
    let fleet = try Fleet.manned()
    let grown: MagicSQL = "\(column: \Sailor.$age) > \(30)"
    let ranked: MagicSQL = "\(sql: grown) AND \(column: \Sailor.$rank) = \("cook")"
    let statement = fleet.store.sql(
      "SELECT name FROM \(table: Sailor.self) WHERE \(sql: ranked) OR name = \("Bob") ORDER BY name"
    )
    #expect(
      statement.description
        == "SELECT name FROM \"Sailor\" WHERE \"age\" > ? AND \"rank\" = ? OR name = ? ORDER BY name"
    )
    #expect(try statement.rows(String.self) == ["Bob", "Cy"])
  }

  @Test func aRawTextIsInsertedUnchanged() throws {
    let fleet = try Fleet.manned()
    let order = "age DESC"
    let statement = fleet.store.sql("SELECT name FROM Sailor ORDER BY \(raw: order)")
    #expect(statement.description == "SELECT name FROM Sailor ORDER BY age DESC")
    #expect(try statement.rows(String.self) == ["Cy", "Ada", "Bob"])
  }

  @Test func namesAreThoseOfTheFile() throws {
    let fleet = try Fleet()
    let vessel = Vessel("Argo")
    vessel.captain = Sailor("Ada")
    vessel.crew = [Sailor("Bob"), Sailor("Cy")]
    try fleet.store.update(vessel)
    let statement = fleet.store.sql(
      """
      SELECT v.\(column: \Vessel.$berth), c.\(column: \Sailor.$name), m.\(column: \Sailor.$name) \
      FROM \(table: Vessel.self) v JOIN \(table: Sailor.self) c ON c.z_index = v.\(column: \Vessel.$captain) \
      JOIN \(links: \Vessel.$crew) l ON l.owner = v.z_index \
      JOIN \(table: Sailor.self) m ON m.z_index = l.target ORDER BY l.position
      """)
    #expect(
      statement.description == """
        SELECT v."berth_no", c."name", m."name" FROM "Vessel" v \
        JOIN "Sailor" c ON c.z_index = v."captain" JOIN "magic_Vessel.crew" l ON l.owner = v.z_index \
        JOIN "Sailor" m ON m.z_index = l.target ORDER BY l.position
        """)
    let rows = try statement.rows(Int.self, String.self, String.self)
    #expect(rows.map { $0.2 } == ["Bob", "Cy"])
    #expect(rows.map { $0.1 } == ["Ada", "Ada"])
  }

  @Test func aKeyPathToTheWrongKindOfPropertyIsAnError() throws {
    let fleet = try Fleet.manned()
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Vessel.$crew) FROM Vessel")
    try fleet.expect(.invalidQuery, of: "SELECT owner FROM \(links: \Vessel.$name)")
    try fleet.expect(.invalidQuery, of: "SELECT owner FROM \(links: \Vessel.$captain)")
  }

  @Test func aValueThatCannotBeStoredIsAnErrorOfTheCall() throws {
    let fleet = try Fleet.manned()
    try fleet.expect(
      .cannotEncode,
      "Value 2 of the SQL: NaN cannot be stored: the database would store NULL instead.",
      of: "SELECT \(1), \(Double.nan)")
    try fleet.expect(.cannotEncode, of: "UPDATE Sailor SET age = \(UInt64.max)")
  }

  @Test func anInterpolationInQuotesIsAnError() throws {
    let fleet = try Fleet.manned()
    try fleet.expect(.invalidQuery, of: "SELECT name FROM Sailor WHERE name LIKE '%\("a")%'")
    try fleet.expect(.invalidQuery, of: "SELECT 1 -- \("a")")
    try fleet.expect(.invalidQuery, of: "SELECT ?")
    try fleet.expect(.invalidQuery, of: "SELECT :name, \(1)")
  }
}
