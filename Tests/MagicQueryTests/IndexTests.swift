import Foundation
import MagicData
import MagicQuery
import MagicSQLite
import MagicTestSupport
import Testing

/// The indexes that SQLite uses, from its query plans.
@Suite struct IndexTests {
  private func plan(_ query: MagicQuery<Resident, MagicUnbound>, in test: TestStore) throws
    -> String
  {
    let connection = try SQLiteConnection(
      path: test.scratch.file(),
      configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    let statement = try connection.prepare("EXPLAIN QUERY PLAN " + query.sql)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.column(3).text) }
    return lines.joined(separator: "\n")
  }

  @Test func queriesUseAnIndex() throws {
    let test = try TestStore.ofResidents()
    let residents = MagicQuery(Resident.self)
    let index = "USING INDEX Resident(name) (name"
    #expect(try plan(residents.where(\.$name == "Ada"), in: test).contains(index + "=?)"))
    #expect(
      try plan(residents.where { $0.$name.hasPrefix("A") }, in: test)
        .contains(index + ">? AND name<?)"))
    #expect(
      try plan(residents.where { $0.$name.in(["a", "b"]) }, in: test).contains(index + "=?)"))
    #expect(try plan(residents.where(\.$id == 3), in: test).contains("(id=?)"))
    let ordered = try plan(residents.order(by: \.$name).limit(1), in: test)
    #expect(ordered.contains("USING INDEX Resident(name)"))
    #expect(!ordered.contains("TEMP B-TREE"))
  }

  @Test func queriesAcrossRelationshipsUseAnIndex() throws {
    let test = try TestStore.ofResidents()
    let home = Home("Elm")
    try test.store.update(home)
    let residents = MagicQuery(Resident.self)
    let toOne = try plan(residents.where(\.$home == home), in: test)
    #expect(toOne.contains("USING INDEX Resident(home) (home=?)"))
    for query in [
      residents.where { $0.$homes.count > 1 }, residents.where { $0.$friends.isEmpty },
      residents.where { $0.$homes.contains { $0.$street == "x" } },
    ] {
      let plan = try plan(query, in: test)
      #expect(plan.components(separatedBy: "SCAN").count == 2)
    }
  }
}
