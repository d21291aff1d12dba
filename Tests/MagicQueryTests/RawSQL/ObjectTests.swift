import MagicQuery
import MagicStatements
import MagicTestSupport
import Testing

/// Objects from a SELECT.
@Suite struct SQLObjectTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func objectsAreInTheOrderOfTheRows() throws {
    let byAge = fleet.store.sql("SELECT z_index FROM Sailor ORDER BY age DESC")
    #expect(try byAge.objects(of: Sailor.self).map(\.name) == ["Cy", "Ada", "Bob"])
    #expect(
      fleet.log.all.suffix(4).filter { $0.hasPrefix("SELECT") } == [
        "SELECT z_index FROM Sailor ORDER BY age DESC",
        "SELECT \"z_index\", \"id\", \"name\", \"age\", \"rank\", \"pay\" FROM \"Sailor\" "
          + "WHERE \"z_index\" BETWEEN ? AND ? ORDER BY \"z_index\"",
      ])
  }

  @Test func theColumnMayBeAnyOfThem() throws {
    let some = fleet.store.sql("SELECT s.*, age * 2 FROM Sailor s WHERE age > \(30)")
    #expect(try some.objects(of: Sailor.self).map(\.name) == ["Ada", "Cy"])
  }

  @Test func theyAreFetchedWithTheirReferences() throws {
    let vessel = Vessel("Argo")
    vessel.crew = try fleet.store.object(of: Sailor.self)
    vessel.captain = vessel.crew[0]
    try fleet.store.update(vessel)
    let found = try fleet.store.sql("SELECT z_index FROM \(table: Vessel.self)").objects(
      of: Vessel.self)
    #expect(found[0].crew.map(\.name) == ["Ada", "Bob", "Cy"])
    #expect(found[0].captain?.name == "Ada")
  }

  @Test func aRowThatOccursTwiceIsOneInstance() throws {
    let twice = try fleet.store.sql(
      "SELECT z_index FROM Sailor WHERE name = 'Bob' UNION ALL SELECT z_index FROM Sailor"
    ).objects(of: Sailor.self)
    #expect(twice.map(\.name) == ["Bob", "Ada", "Bob", "Cy"])
    twice[0].name = "Rob"
    #expect(twice[2].name == "Rob")
    try fleet.store.update(twice[2])
    #expect(try fleet.names == ["Ada", "Rob", "Cy"])
  }

  @Test func distantRowsAreFetchedByAList() throws {
    try fleet.store.update(contentsOf: (0..<200).map { Sailor("s\($0)") })
    let ends = fleet.store.sql(
      "SELECT z_index FROM Sailor WHERE z_index IN (1, 100, 203) ORDER BY z_index DESC")
    #expect(try ends.objects(of: Sailor.self).map(\.name) == ["s199", "s96", "Ada"])
  }

  @Test func noRowsAreNoObjects() throws {
    #expect(
      try fleet.store.sql("SELECT z_index FROM Sailor WHERE 0").objects(of: Sailor.self).isEmpty)
    // No object of the type was saved.
    #expect(
      try fleet.store.sql("SELECT z_index FROM \(table: Vessel.self)").objects(of: Vessel.self)
        .isEmpty)
  }

  @Test func theColumnMustOccurExactlyOnce() throws {
    for sql in [
      "SELECT name FROM Sailor", "SELECT z_index, z_index FROM Sailor",
      "SELECT name FROM Sailor WHERE 0",
    ] {
      let error = #expect(throws: MagicError.self) {
        try fleet.store.sql("\(raw: sql)").objects(of: Sailor.self)
      }
      #expect(error?.code == .invalidQuery)
    }
    #expect(try fleet.names.count == 3)
  }

  @Test func nullIsNotAnObject() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT NULL AS z_index").objects(of: Sailor.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(
      error?.message
        == "Column z_index of row 1: the column holds NULL, not INTEGER, and Int64 is not optional."
    )
  }

  @Test func anUnknownRowIsAnError() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT 1 AS z_index UNION ALL SELECT 77").objects(of: Sailor.self)
    }
    #expect(error?.code == .notFound)
    #expect(error?.type == "Sailor")
    #expect(try fleet.names.count == 3)
  }

  @Test func theyCanBeChangedAndSaved() throws {
    let bob = try #require(
      try fleet.store.sql("SELECT z_index FROM Sailor WHERE name = \("Bob")").objects(
        of: Sailor.self
      ).first)
    bob.age = 26
    try fleet.store.update(bob)
    #expect(
      try fleet.store.sql("SELECT age FROM Sailor ORDER BY age").rows(Int.self) == [26, 36, 41])
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aTransactionReturnsWhatItInserts() throws {
    try fleet.store.transaction { transaction in
      let made = try transaction.sql(
        "INSERT INTO Sailor (id, name, age) VALUES ('dee', 'Dee', 19) RETURNING z_index"
      ).objects(of: Sailor.self)
      #expect(made.map(\.name) == ["Dee"])
    }
    #expect(try fleet.names == ["Ada", "Bob", "Cy", "Dee"])
  }
}
