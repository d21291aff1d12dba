import EngineConformance
import Foundation
import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

private struct City: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var sister: City?

  init() {}

  init(_ name: String) { self.name = name }
}

private struct Route: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var stops: [City] = []
  @MagicValue var byName: [String: City] = [:]
  @MagicValue(.onDelete(.cascade)) var set: MagicalSet<City> = []
  @OptionMagicValue var end: City?

  init() {}
}

/// The effects of preparing a file for sharing on its own rows.
@Suite struct SharingTests {
  let scratch = Scratch()

  private func fill(_ store: MagicObjectStore) throws {
    let (rome, kyiv, lima) = (City("Rome"), City("Kyiv"), City("Lima"))
    rome.sister = kyiv
    kyiv.sister = rome
    let route = Route()
    route.stops = [lima, rome, lima]
    route.byName = ["capital": kyiv]
    route.set = [rome, lima]
    route.end = lima
    try store.update(route)
    try store.update(contentsOf: [rome, kyiv])
  }

  private func expectContents(_ store: MagicObjectStore) throws {
    let route = try #require(try store.object(of: Route.self).first)
    #expect(route.stops.map(\.name) == ["Lima", "Rome", "Lima"])
    #expect(route.byName.mapValues(\.name) == ["capital": "Kyiv"])
    #expect(Set(route.set.map(\.name)) == ["Rome", "Lima"])
    #expect(route.end?.name == "Lima")
    #expect(route.stops[1].sister?.sister?.name == "Rome")
    #expect(try store.verify().findings == [])
  }

  private func number(_ store: MagicObjectStore) throws -> Int {
    try #require(try store.sql("SELECT store_number FROM magic_format").rows(Int.self).first)
  }

  private func rowIDs(_ store: MagicObjectStore) throws -> [Int] {
    try store.sql("SELECT z_index FROM City ORDER BY z_index").rows(Int.self)
  }

  @Test func rowsMoveToTheRangeOfTheStore() throws {
    try scratch.using { store throws in
      try fill(store)
      try expectContents(store)
      #expect(try number(store) == 0)
      let before = try rowIDs(store)
      try store.prepareForSharing()
      let base = try number(store) << 32
      #expect(base > 0)
      #expect(try rowIDs(store) == before.map { base + $0 })
      try expectContents(store)
    }
    try scratch.using { try expectContents($0) }
  }

  @Test func aSecondPreparationChangesNothing() throws {
    try scratch.using { store throws in
      try fill(store)
      try store.prepareForSharing()
      let (number, rows) = (try number(store), try rowIDs(store))
      try store.prepareForSharing()
      #expect(try self.number(store) == number)
      #expect(try rowIDs(store) == rows)
    }
  }

  @Test func aCopyGetsAnotherNumberAndKeepsItsRows() throws {
    try scratch.using { store throws in
      try fill(store)
      try store.prepareForSharing()
      let (number, rows) = (try number(store), try rowIDs(store))
      try store.prepareForSharing(asCopy: true)
      let copied = try self.number(store)
      #expect(copied != number && copied > 0)
      #expect(try rowIDs(store) == rows)
      try store.update(City("Oslo"))
      #expect(Set(try rowIDs(store)) == Set(rows + [copied << 32 | 1]))
      try expectContents(store)
    }
  }

  @Test func anEmptyFileCountsFromTheBeginningOfItsRange() throws {
    try scratch.using { store throws in
      try store.prepareForSharing()
      try store.update(contentsOf: [City("Rome"), City("Kyiv")])
      let base = try number(store) << 32
      #expect(try rowIDs(store) == [base + 1, base + 2])
    }
  }

  @Test func rowsOfOtherStoresDoNotChangeTheNextRowID() throws {
    try scratch.using { store throws in
      try store.prepareForSharing()
      try store.update(City("Rome"))
    }
    let highest = (Int(Int32.max) << 32) + 7
    try scratch.change("INSERT INTO City (z_index, name) VALUES (\(highest), 'far')")
    try scratch.using { store throws in
      let base = try number(store) << 32
      try store.update(City("Kyiv"))
      #expect(try rowIDs(store) == [base + 1, base + 2, highest])
      // The last row of this store is not the last row of the table.
      try store.remove(try store.object(of: City.self, primary: "Kyiv"))
      try store.update(City("Lima"))
      #expect(try rowIDs(store) == [base + 1, base + 3, highest])
    }
    try scratch.using { store throws in
      let base = try number(store) << 32
      try store.sql("DELETE FROM City WHERE z_index <> \(highest)").run()
      try store.update(City("Oslo"))
      #expect(try rowIDs(store) == [base + 4, highest])
    }
  }

  @Test func aDeletedMemberWithTheRowIDOfAnotherStoreIsRemovedFromTheList() throws {
    try scratch.using { store throws in
      try store.prepareForSharing()
      try store.update(City("Rome"))
    }
    let highest = (Int(Int32.max) << 32) + 7
    try scratch.change("INSERT INTO City (z_index, name) VALUES (\(highest), 'far')")
    try scratch.using { store throws in
      let route = Route()
      route.stops = [City("near"), try store.object(of: City.self, primary: "far")]
      try store.sql("DELETE FROM City WHERE z_index = \(highest)").run()
      try store.update(route)
      #expect(try store.object(of: Route.self).first?.stops.map(\.name) == ["near"])
      #expect(try store.verify().findings == [])
    }
  }

  @Test func theRowIDOfADeletedRowIsNotUsedAgainAfterThePreparation() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: [City("Rome"), City("Kyiv")])
      try store.remove(try store.object(of: City.self, primary: "Kyiv"))
      try store.prepareForSharing()
      try store.update(City("Lima"))
      let base = try number(store) << 32
      #expect(try rowIDs(store) == [base + 1, base + 3])
    }
  }

  @Test func rowIDsOutsideTheRangeAreRefusedAndNothingIsChanged() throws {
    try scratch.using { try fill($0) }
    try scratch.change("INSERT INTO City (z_index, name) VALUES (\(1 << 32), 'far')")
    try scratch.using { store throws in
      let rows = try rowIDs(store)
      let error = #expect(throws: MagicError.self) { try store.prepareForSharing() }
      #expect(error?.code == .idsExhausted)
      #expect(try rowIDs(store) == rows)
      #expect(try number(store) == 0)
    }
  }

  @Test func objectsAreInsertedAfterARowOutsideTheRangeWasRemoved() throws {
    try scratch.using { try fill($0) }
    try scratch.change("INSERT INTO City (z_index, name) VALUES (\(1 << 33), 'far')")
    try scratch.using { store throws in
      #expect(throws: MagicError.self) { try store.prepareForSharing() }
      try store.remove(try store.object(of: City.self, primary: "far"))
      try store.prepareForSharing()
      try store.update(City("Oslo"))
      let base = try number(store) << 32
      #expect(try rowIDs(store).allSatisfy { $0 > base && $0 < base + 100 })
    }
  }

  @Test func foreignKeysOfUserTablesFollow() throws {
    try scratch.using { try fill($0) }
    try scratch.change(
      """
      CREATE TABLE visits (city INTEGER REFERENCES City (z_index), place INTEGER, day TEXT);
      INSERT INTO visits SELECT z_index, z_index, name FROM City
      """)
    try scratch.using { store throws in
      let before = try store.sql("SELECT place FROM visits").rows(Int.self)
      try store.prepareForSharing()
      let joined = store.sql(
        "SELECT count(*) FROM visits JOIN City ON city = z_index AND day = name")
      #expect(try joined.rows(Int.self) == [3])
      #expect(try store.sql("SELECT place FROM visits").rows(Int.self) == before)
    }
  }

  @Test func triggersOfTheUserDoNotRun() throws {
    try scratch.using { try fill($0) }
    try scratch.change(
      """
      CREATE TABLE audit (what TEXT);
      CREATE TRIGGER audited AFTER UPDATE ON City BEGIN INSERT INTO audit VALUES (NEW.name); END
      """)
    try scratch.using { store throws in
      try store.prepareForSharing()
      #expect(try store.sql("SELECT count(*) FROM audit").rows(Int.self) == [0])
      try expectContents(store)
    }
  }

  @Test func objectsFromBeforeThePreparationAreNotSavedToOtherRows() throws {
    try scratch.using { store throws in
      let route = Route()
      try store.update(route)
      try store.prepareForSharing()
      route.stops = [City("Rome")]
      let error = #expect(throws: MagicError.self) { try store.update(route) }
      #expect(error?.code == .notFound)
      // The primary value finds the row.
      try store.update(route, ifMissing: .insert)
      #expect(try store.object(of: Route.self).count == 1)
      #expect(try store.object(of: Route.self).first?.stops.map(\.name) == ["Rome"])
    }
  }

  /// A row has one row ID, and an entry of a join table and its index have four row IDs and a
  /// position.
  @Test func rowsBecomeALittleLargerAndListsMore() throws {
    try scratch.using { store throws in
      let text = String(repeating: "x", count: 80)
      try store.update(contentsOf: (0..<10_000).map { City("\(text) \($0)") })
      let before = try store.compact().bytesAfter
      let route = Route()
      route.stops = try store.object(of: City.self)
      try store.update(route)
      let withList = try store.compact().bytesAfter
      try store.prepareForSharing()
      try expectSize(of: store, 1.05...1.35, of: withList, lists: 1.4...1.9, of: withList - before)
    }
  }

  /// Compares the size of the file, and the size of the list's tables, with earlier sizes.
  private func expectSize(
    of store: MagicObjectStore, _ file: ClosedRange<Double>, of earlier: Int,
    lists: ClosedRange<Double>, of earlierLists: Int
  ) throws {
    let after = try store.compact().bytesAfter
    let route = try #require(try store.object(of: Route.self).first)
    route.stops = []
    try store.update(route)
    let afterLists = after - (try store.compact().bytesAfter)
    #expect(file.contains(Double(after) / Double(earlier)), "\(earlier) to \(after)")
    #expect(
      lists.contains(Double(afterLists) / Double(earlierLists)), "\(earlierLists) to \(afterLists)")
  }
}
