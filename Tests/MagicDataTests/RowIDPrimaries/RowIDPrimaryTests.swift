import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

private struct Ring: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue var name = ""
  @OptionMagicValue var next: Ring?
}

/// Integer primaries that are the row ID.
@Suite(.everyEngine) struct RowIDPrimaryTests {
  let scratch = Scratch()

  // MARK: New objects

  @Test func aNewObjectGetsTheNextRowIDAsItsPrimary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = (1...3).map { Ship("\($0)") }
    let copy = ships[0]
    #expect(ships[0].id == 0)
    #expect(try await magic.update(contentsOf: ships).map(\.rawValue) == [1, 2, 3])
    #expect(ships.map(\.id) == [1, 2, 3])
    #expect(copy.id == 1)
    #expect(ships.map { $0.zIndex?.rawValue } == [1, 2, 3])
    #expect(try await magic.object(of: Ship.self).map(\.id) == [1, 2, 3])
  }

  @Test func anExplicitValueIsTheRowIDAndRaisesTheSequence() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ship("first"))
    #expect(try await magic.update(Ship("explicit", id: 100)).rawValue == 100)
    let next = Ship("next")
    #expect(try await magic.update(next).rawValue == 101)
    #expect(next.id == 101)
    #expect(try await magic.update(Ship("low", id: 50)).rawValue == 50)
    #expect(try await magic.update(Ship("next")).rawValue == 102)
    #expect(try await magic.object(of: Ship.self).map(\.id) == [1, 50, 100, 101, 102])
  }

  @Test func anExplicitValueInACycleIsNotAssignedToAnotherRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (first, second) = (Ring(), Ring())
    (first.id, first.name, second.name) = (1, "first", "second")
    (first.next, second.next) = (second, first)
    try await magic.update(first)
    #expect(first.id == 1 && second.id == 2)
    let stored = try await magic.object(of: Ring.self)
    #expect(stored.map(\.name) == ["first", "second"])
    #expect(stored.map { $0.next?.name } == ["second", "first"])
    (first.next, second.next) = (nil, nil)
  }

  @Test func anExplicitValueInABatchIsNotAssignedToAnotherRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ship("first"))
    let batch = [Ship("a"), Ship("b", id: 3), Ship("c"), Ship("d", id: 10), Ship("e")]
    let rows = try await magic.update(contentsOf: batch).map(\.rawValue)
    #expect(rows == batch.map { Int64($0.id) })
    #expect(Set(rows) == [2, 3, 4, 10, 11])
  }

  @Test func aNewObjectWithTheValueOfARowUpdatesTheRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Ship("a"), Ship("b"), Ship("c")])
    #expect(try await magic.update(Ship("replaced", id: 2)).rawValue == 2)
    let twice = [Ship("d", id: 3), Ship("e", id: 3), Ship("f", id: 3)]
    #expect(try await magic.update(contentsOf: twice).map(\.rawValue) == [3, 3, 3])
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["a", "replaced", "f"])
    let next = Ship("next")
    try await magic.update(next)
    #expect(next.id == 4)
  }

  @Test func rowIDsOfDeletedRowsAreNotAssignedAgain() async throws {
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = (1...3).map { Ship("\($0)") }
    try await magic.update(contentsOf: ships)
    try await magic.remove(ships[2])
    magic = try await magic.reopened(path: scratch.file())
    let next = Ship("next")
    try await magic.update(next)
    #expect(next.id == 4)
  }

  @Test func aRemovedObjectIsInsertedAgainUnderItsRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ship = Ship("a")
    try await magic.update(ship)
    try await magic.remove(ship)
    #expect(ship.id == 1)
    #expect(ship.zIndex == nil)
    try await magic.update(Ship("b"))
    #expect(try await magic.update(ship).rawValue == 1)
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["a", "b"])
  }

  @Test(arguments: [0, -1, Int.min]) func aValueBelowOneIsRefused(value: Int) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for single in [true, false] {
      let error = await #expect(throws: MagicError.self) {
        if single {
          try await magic.update(Ship("a", id: value))
        } else {
          try await magic.update(contentsOf: [Ship("b"), Ship("a", id: value)])
        }
      }
      #expect(error?.code == .cannotEncode)
      #expect(error?.property == "id")
    }
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(Harbour("a", id: value))
    }
    #expect(error?.property == "id")
    #expect(try await magic.query(Ship.self).count() == 0)
  }

  @Test func theHighestRowIDIsStoredAndNoneAfterIt() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ship("last", id: .max))
    let error = await #expect(throws: MagicError.self) { try await magic.update(Ship("more")) }
    #expect(error?.code == .idsExhausted)
    #expect(try await magic.object(of: Ship.self, primary: Int.max).name == "last")
  }

  @Test func aRolledBackSaveLeavesTheObjectWithoutAValue() async throws {
    struct Stop: Error {}
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ship = Ship("a")
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(ship)
        #expect(ship.id == 1)
        throw Stop()
      }
    }
    #expect(ship.id == 0)
    #expect(ship.zIndex == nil)
    try await magic.update(ship)
    #expect(ship.id == 1)
  }

  @Test func thePrimaryMayBeTheLastOrTheOnlyProperty() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Buoy("a"), Buoy("b", number: 7), Buoy("c")])
    try await magic.update(Buoy("changed", number: 1))
    let buoys = try await magic.object(of: Buoy.self)
    #expect(buoys.map(\.name) == ["changed", "b", "c"])
    #expect(buoys.map(\.number) == [1, 7, 8])

    try await magic.update(contentsOf: [Mooring(), Mooring(id: 5), Mooring(id: 5), Mooring()])
    #expect(try await magic.object(of: Mooring.self).map(\.id) == [1, 5, 6])
    #expect(try await magic.has(of: Mooring.self, primary: 6))
  }

  // MARK: Saved objects

  @Test func theValueOfASavedObjectCannotBeChanged() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ship = Ship("a")
    try await magic.update(contentsOf: [ship, Ship("b")])
    ship.id = 2
    ship.name = "changed"
    let error = await #expect(throws: MagicError.self) { try await magic.update(ship) }
    #expect(error?.code == .constraint)
    #expect(error?.property == "id")
    let harbour = Harbour("h")
    harbour.flagship = ship
    await #expect(throws: MagicError.self) { try await magic.update(harbour) }
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["a", "b"])
    ship.id = 1
    try await magic.update(ship)
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["changed", "b"])

    let fetched = try await magic.object(of: Ship.self, primary: 2)
    fetched.id = 9
    await #expect(throws: MagicError.self) { try await magic.update(fetched) }
    fetched.id = 2
    fetched.name = "fetched"
    try await magic.update(fetched)
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["changed", "fetched"])
  }

  @Test func anObjectWhoseRowIsMissingIsInsertedUnderItsRowIDOnRequest() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ship = Ship("a")
    try await magic.update(contentsOf: [ship, Ship("b")])
    try await magic.removeAll(of: Ship.self)
    ship.name = "again"
    await #expect(throws: MagicError.self) { try await magic.update(ship) }
    #expect(try await magic.update(ship, ifMissing: .insert).rawValue == 1)
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["again"])
  }

  // MARK: Reading

  @Test func objectsAreFoundByTheirRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.query(Ship.self).where(\.$id == 1).all().isEmpty)
    try await magic.update(contentsOf: (1...5).map { Ship("\($0)") })
    #expect(try await magic.object(of: Ship.self, primary: 4).name == "4")
    #expect(try await magic.has(of: Ship.self, primary: 4))
    #expect(try await !magic.has(of: Ship.self, primary: 6))
    await #expect(throws: MagicError.self) {
      try await magic.object(of: Ship.self, primary: 6)
    }
    let several = try await magic.object(of: Ship.self, primaries: [5, 9, 1])
    #expect(several.map(\.id) == [5, 1])
  }

  @Test func queriesUseTheRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (1...5).map { Ship("\(9 - $0)") })
    let ships = magic.query(Ship.self)
    #expect(try await ships.where(\.$id == 3).all().map(\.name) == ["6"])
    #expect(try await ships.where { $0.$id.in([2, 4]) }.all().map(\.id) == [2, 4])
    #expect(try await ships.where(\.$id > 3).count() == 2)
    #expect(try await ships.order(by: \.$id, .descending).limit(2).all().map(\.id) == [5, 4])
    #expect(try await ships.max(\.$id) == 5)
    #expect(try await ships.sum(\.$id) == 15)
    let pairs = try await ships.where(\.$id < 3).order(by: \.$name).select(\.$id, \.$name).all()
    #expect(pairs.map(\.0) == [2, 1])
    var streamed: [Int] = []
    for try await ship in ships.order(by: \.$id, .descending).stream() { streamed.append(ship.id) }
    #expect(streamed == [5, 4, 3, 2, 1])
    #expect(try await ships.where(\.$id == 2).update(set: .set(\.$name, to: "x")) == 1)
    #expect(try await ships.where(\.$id == 1).delete() == 1)
    #expect(try await magic.object(of: Ship.self).map(\.name) == ["x", "6", "5", "4"])
  }

  @Test func anUpdateCannotSetTheRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ship("a"))
    let error = await #expect(throws: MagicError.self) {
      try await magic.query(Ship.self).update(set: .set(\.$id, to: 7))
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.property == "id")
  }

  @Test func pathsAndMembersCompareTheRowID() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = (1...4).map { Ship("\($0)") }
    try await magic.update(contentsOf: ships)
    let (a, b) = (Harbour("a"), Harbour("b"))
    a.flagship = ships[2]
    a.ships = [ships[0], ships[3]]
    b.twin = a
    try await magic.update(contentsOf: [a, b])
    let harbours = magic.query(Harbour.self)
    #expect(try await harbours.where(\.$flagship.$id == 3).all().map(\.name) == ["a"])
    #expect(try await harbours.where(\.$twin.$id == a.id).all().map(\.name) == ["b"])
    #expect(
      try await harbours.where { $0.$ships.contains { $0.$id == 4 } }.all().map(\.name) == ["a"])
    #expect(try await harbours.where { $0.$ships.contains { $0.$id == 2 } }.all().isEmpty)
  }

  // MARK: Relationships

  @Test func objectsOfACycleReferToEachOtherByTheirRowIDs() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Harbour("first"))
    let (a, b, c) = (Harbour("a"), Harbour("b", id: 40), Harbour("c", id: 1))
    (a.twin, b.twin, c.twin) = (b, c, a)
    try await magic.update(a)
    #expect([a.id, b.id, c.id] == [Int(try #require(a.zIndex).rawValue), 40, 1])
    let fetched = try await magic.object(of: Harbour.self, primary: a.id)
    #expect(fetched.twin?.id == 40)
    #expect(fetched.twin?.twin?.name == "c")
    #expect(fetched.twin?.twin?.twin?.id == a.id)
    #expect(try await magic.query(Harbour.self).count() == 3)
    #expect(try await fetched.twins.count == 1)
    (a.twin, b.twin, c.twin) = (nil, nil, nil)
  }

  @Test func aNewOwnerWithTheValueOfARowReplacesTheMembersOfTheRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = (1...3).map { Ship("\($0)") }
    let stored = Harbour("stored")
    stored.ships = [ships[0], ships[1]]
    try await magic.update(stored)
    let owner = Harbour("new", id: stored.id)
    owner.ships = [ships[1], ships[2]]
    owner.pilots.set([ships[0]])
    try await magic.update(owner)
    let fetched = try await magic.object(of: Harbour.self)
    #expect(fetched.map(\.name) == ["new"])
    #expect(fetched[0].ships.map(\.name) == ["2", "3"])
    #expect(try await fetched[0].pilots.get().map(\.name) == ["1"])
  }

  @Test func newObjectsWithOneValueAreOneRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = (1...3).map { Ship("\($0)") }
    let (a, b) = (Harbour("a", id: 7), Harbour("b", id: 7))
    (a.ships, b.ships) = ([ships[0], ships[1]], [ships[2]])
    // The row ID of each is known to the other one before it is saved.
    (a.twin, b.twin) = (b, a)
    try await magic.update(contentsOf: [a, b])
    (a.twin, b.twin) = (nil, nil)
    let fetched = try await magic.object(of: Harbour.self)
    #expect(fetched.map(\.id) == [7])
    #expect(fetched[0].twin?.id == 7)
    try scratch.expectRows(Int64(fetched[0].ships.count), in: "magic_Harbour.ships")
    #expect([["1", "2"], ["3"]].contains(fetched[0].ships.map(\.name)))
    fetched[0].twin = nil
  }

  @Test func aMemberWithTheValueOfARowUpdatesTheRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Ship("a"), Ship("b")])
    let harbour = Harbour("h")
    harbour.ships = [Ship("changed", id: 2), Ship("new"), Ship("chosen", id: 30), Ship("last")]
    harbour.flagship = Ship("flag", id: 2)
    try await magic.update(harbour)
    let fetched = try await magic.object(of: Harbour.self)[0]
    #expect(fetched.ships.map(\.id) == harbour.ships.map(\.id))
    #expect(harbour.ships.map(\.id) == [2, 3, 30, 31])
    #expect(fetched.flagship?.id == 2)
    #expect(try await magic.query(Ship.self).count() == 5)
  }

  @Test func aNestedTransactionThatFailsReleasesItsRowIDs() async throws {
    struct Stop: Error {}
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ship("first"))
    let (kept, failed, next) = (Ship("kept"), Ship("failed", id: 500), Ship("next"))
    try await magic.transaction { transaction in
      try transaction.update(kept)
      #expect(throws: Stop.self) {
        try transaction.transaction { inner in
          try inner.update(failed)
          try inner.update(Ship("x"))
          throw Stop()
        }
      }
      try transaction.update(next)
    }
    #expect(failed.zIndex == nil)
    #expect(failed.id == 500)
    #expect([kept.id, next.id] == [2, 3])
  }

  @Test func anObjectOfAnotherDatabaseKeepsItsValue() async throws {
    let first = try await MagicData.onTestedEngine(path: scratch.file("a.db"))
    let second = try await MagicData.onTestedEngine(path: scratch.file("b.db"))
    try await first.update(contentsOf: [Ship("x"), Ship("a")])
    try await second.update(Ship("other"))
    #expect(
      try await second.update(first.object(of: Ship.self, primary: 2)).rawValue == 2)
    #expect(try await second.object(of: Ship.self).map(\.name) == ["other", "a"])
  }

  @Test func unsavedObjectsWithOneValueAreOneMemberOfASet() {
    let ships: MagicalSet<Ship> = [Ship("a", id: 1), Ship("b", id: 1), Ship("c"), Ship("d")]
    #expect(ships.count == 3)
  }

  // MARK: Changes

  @Test func changesOfAPrimaryAreObserved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ships = [Ship("a"), Ship("b")]
    try await magic.update(contentsOf: ships)
    var all = magic.changes(of: Ship.self).makeAsyncIterator()
    var one = magic.changes(of: Ship.self, primary: 2).makeAsyncIterator()
    ships[0].name = "a2"
    try await magic.update(ships[0])
    ships[1].name = "b2"
    try await magic.update(ships[1])
    let first = try #require(await all.next())
    #expect(first.hasPrimaryChanged(1))
    #expect(!first.hasPrimaryChanged(2))
    #expect(first.hasChanged(\.$name))
    #expect(!first.hasChanged(\.$id))
    #expect(await one.next()?.updated.keys.map(\.rawValue) == [2])
    try await magic.remove(ships[1])
    #expect(await one.next()?.deleted.map(\.rawValue) == [2])
    try await magic.update(Ship("again", id: 2))
    #expect(await one.next()?.inserted.map(\.rawValue) == [2])
  }

  @Test func changesOfMembersAreObservedByThePrimaryOfTheirOwner() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let harbours = [Harbour("a"), Harbour("b")]
    try await magic.update(contentsOf: harbours)
    var one = magic.changes(of: Harbour.self, primary: 2).makeAsyncIterator()
    harbours[0].ships.append(Ship("1"))
    harbours[1].ships.append(Ship("2"))
    try await magic.update(contentsOf: harbours)
    let change = try #require(await one.next())
    #expect(change.updated.keys.map(\.rawValue) == [2])
    #expect(change.hasChanged(\.$ships))
  }
}
