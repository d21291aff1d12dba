import MagicQuery
import MagicRelations
import MagicStore
import Testing

/// The delete rules that were declared when a file was written are enforced.
@Suite struct DeleteRuleTests {
  private func home(_ number: Int, _ store: MagicObjectStore) throws -> Home {
    try store.object(of: Home.self, primary: "home \(number)")
  }

  private func expectDenial(_ body: () throws -> Void) {
    let error = #expect(throws: MagicError.self) { try body() }
    #expect(error?.code == .stillReferenced)
  }

  @Test(arguments: Fixture.withRelationships) func targetsOfDenyingRelationshipsAreNotRemoved(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let home = try home(2, store)
      expectDenial { try store.remove(home.city) }
      let keeper = try #require(home.keeper)
      expectDenial { try store.remove(keeper) }
      let landlord = try #require(home.landlords.first { _ in true })
      expectDenial { try store.remove(landlord) }
      #expect(try store.object(of: Person.self).count == Rows.people.count)
    }
  }

  @Test(arguments: Fixture.withRelationships) func homesAreRemovedWithTheirStreetAndParent(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      // Home 1 refers to 20 as its parent, and 2, 3 and 4 to it, one after the other.
      try store.remove(try home(1, store).street)
      let names = try store.object(of: Home.self).map(\.name)
      #expect(names == (5...20).map { "home \($0)" })
      let rooms = try store.object(of: Room.self).map { $0.zIndex?.rawValue ?? 0 }
      let removed = (1...4).flatMap(Links.rooms).map { Int64($0) }
      #expect(rooms == Rows.rooms.map { Int64($0) }.filter { !removed.contains($0) })
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withRelationships) func roomsAreRemovedWithTheirHome(_ fixture: Fixture)
    throws
  {
    try fixture.copy().using { store throws in
      try store.query(Home.self).where { $0.$name == "home 19" }.delete()
      let rooms = try store.object(of: Room.self).map { $0.zIndex?.rawValue ?? 0 }
      let removed = Links.rooms(19).map { Int64($0) }
      #expect(rooms == Rows.rooms.map { Int64($0) }.filter { !removed.contains($0) })
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withRelationships) func aCycleWithARemovedObjectEndsWithNil(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      try store.remove(try store.object(of: Knot.self, primary: 7))
      #expect(try store.object(of: Knot.self, primary: 6).next == nil)
      #expect(try store.object(of: Knot.self).count == Rows.knots.count - 1)
    }
  }

  @Test(arguments: Fixture.withRelationships) func theRemovalOfATwinCascadesToItsTwin(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let twin = try #require(try store.first(of: Twin.self) { $0.name == "twin 3" })
      try store.remove(twin)
      let removed = ["twin 3", "twin 4"]
      let left = Rows.twins.map { "twin \($0)" }.filter { !removed.contains($0) }
      #expect(try store.object(of: Twin.self).map(\.name).sorted() == left.sorted())
    }
  }

  @Test(arguments: Fixture.withRelationships) func aRemovedStampIsRemovedFromItsCupboards(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let stamp = try #require(try store.stamps().first { $0.value == 2 })
      try store.remove(stamp)
      for (cupboard, number) in zip(try store.object(of: Cupboard.self), Rows.cupboards) {
        #expect(cupboard.content.map(\.value) == Links.content(number).filter { $0 != 2 })
        #expect(cupboard.spots.mapValues(\.value) == Links.spots(number).filter { $0.value != 2 })
      }
      #expect(try store.verify().findings == [])
    }
  }
}
