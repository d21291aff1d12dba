import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

private enum V1 {
  struct Boat: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable) var name: String = ""

    init() {}
    init(_ id: Int, _ name: String) { (self.id, self.name) = (id, name) }
  }
}

/// The next version, without a declared step.
private enum V2 {
  struct Boat: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable, .indexed) var name: String = ""
    @OptionMagicValue var note: String?
    @MagicValue var length: Double = 7.5
    @MagicValue var crew: [Match] = []

    init() {}
    init(_ id: Int, _ name: String) { (self.id, self.name) = (id, name) }
  }
}

/// A version that lacks what the first one needs.
private enum Smaller {
  struct Boat: MagicObject {
    @PrimaryMagicValue var id: Int

    init() {}
    init(_ id: Int) { self.id = id }
  }
}

/// Programs with two versions of a type, which use a database at the same time.
@Suite(.requiresPostgreSQL) struct LaterVersionTests {
  private static func migrations(_ schema: TestSchema) throws -> String {
    try schema.run("SELECT migrations FROM magic_format").text(0, 0)
  }

  @Test func anEarlierVersionUsesTheTableOfALaterOne() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(V1.Boat(0, "first"))
    let new = try await schema.openMagicData()
    try await new.update(V2.Boat(1, "second"))
    #expect(try Self.migrations(schema) == "1")
    for round in 1..<5 {
      try await old.update(V1.Boat(2 * round, "old \(round)"))
      #expect(try await old.object(of: V1.Boat.self).count == 2 * round + 1)
      let boat = V2.Boat(2 * round + 1, "new \(round)")
      (boat.note, boat.length, boat.crew) = ("note \(round)", Double(round), [Match("sea")])
      try await new.update(boat)
      #expect(try await new.object(of: V2.Boat.self).count == 2 * round + 2)
    }
    #expect(try Self.migrations(schema) == "1")
    // The new properties of a row of the earlier version have their defaults.
    let boat = try await new.object(of: V2.Boat.self, primary: 4)
    #expect(boat.note == nil && boat.length == 7.5 && boat.crew.isEmpty)
    #expect(try await old.query(V1.Boat.self).matching("old").count() == 4)
    await old.close()
    await new.close()
  }

  @Test func anEarlierVersionKeepsTheValuesOfALaterOne() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(V1.Boat(1, "first"))
    let new = try await schema.openMagicData()
    let boat = try await new.object(of: V2.Boat.self, primary: 1)
    (boat.note, boat.crew) = ("kept", [Match("sea")])
    try await new.update(boat)
    let same = try await old.object(of: V1.Boat.self, primary: 1)
    same.name = "changed"
    try await old.update(same)
    try await old.update(V1.Boat(1, "saved again"))
    let found = try await new.object(of: V2.Boat.self, primary: 1)
    try await new.refresh(found)
    #expect(found.note == "kept" && found.crew.count == 1 && found.name == "saved again")
    #expect(try await old.query(V1.Boat.self).delete() == 1)
    #expect(try await new.object(of: V2.Boat.self).isEmpty)
    await old.close()
    await new.close()
  }

  /// Also if the earlier version is started again, and asks for a migration.
  @Test func anEarlierVersionDoesNotChangeTheTableBack() async throws {
    let schema = try TestSchema()
    var old = try await schema.openMagicData()
    try await old.update(V1.Boat(1, "first"))
    await old.close()
    let new = try await schema.openMagicData()
    try await new.update(V2.Boat(2, "second"))
    old = try await schema.openMagicData()
    #expect(try await old.migrationPlan(for: V1.Boat.self).isEmpty)
    try await old.migrate(V1.Boat.self)
    try await old.update(V1.Boat(3, "third"))
    #expect(try Self.migrations(schema) == "1")
    #expect(try await new.object(of: V2.Boat.self).map(\.length) == [7.5, 7.5, 7.5])
    await old.close()
    await new.close()
  }

  @Test func observersOfAnEarlierVersionSeeTheRowsOfALaterOne() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(V1.Boat(1, "first"))
    let new = try await schema.openMagicData()
    try await new.update(V2.Boat(2, "second"))
    var changes = old.changes(of: V1.Boat.self).makeAsyncIterator()
    let boat = V2.Boat(3, "third")
    boat.note = "note"
    let zIndex = try await new.update(boat)
    let element = try #require(await changes.next())
    #expect(element.inserted == [zIndex] && element.isComplete)
    await old.close()
    await new.close()
  }

  /// The table gets the column again, and the version that lacks it uses the table as it is.
  @Test func aVersionThatLacksAColumnDoesNotDropItTwice() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(V1.Boat(1, ""))
    let new = try await schema.openMagicData()
    try await old.query(V1.Boat.self).delete()
    try await new.update(Smaller.Boat(2))
    for round in 0..<3 {
      try await old.update(V1.Boat(10 + round, ""))
      try await new.update(Smaller.Boat(20 + round))
    }
    let count = try #require(Int(try Self.migrations(schema)))
    #expect(count <= 2)
    #expect(try await old.object(of: V1.Boat.self).count == 7)
    await old.close()
    await new.close()
  }
}
