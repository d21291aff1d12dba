import MagicAsync
import MagicDataTesting
import MagicQuery
import MagicRelations
import MagicStore
import Testing

/// Migrations that change the kind of relationships, in a file of each version that has them.
@Suite struct RelationshipMigrationTests {
  private func migrated(_ fixture: Fixture) async throws -> MagicMigrationFixture {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Home.self)
    return copy
  }

  @Test(arguments: Fixture.withRelationships) func everyUnchangedRelationshipKeepsItsTargets(
    _ fixture: Fixture
  ) async throws {
    try await migrated(fixture).using { store throws in
      let homes = try store.object(of: Later.Home.self)
      #expect(homes.map(\.name) == Rows.homes.map { "home \($0)" })
      for (home, number) in zip(homes, Rows.homes) {
        #expect(home.city?.number == Links.city(number))
        #expect(home.street.name == "street \(number)")
        #expect(home.parent?.name == Links.parent(number).map { "home \($0)" })
        #expect(home.keeper?.id == Links.keeper(number).map(Person.id))
        #expect(home.chambers.map { $0.zIndex?.rawValue } == Links.rooms(number).map { Int64($0) })
        let labels = Links.rooms(number).map { Exact.text(Sample.text($0)) }
        #expect(home.chambers.map { Exact.text($0.label) } == labels)
        #expect(home.guests.isEmpty)
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func everyConvertedRelationshipKeepsItsTargets(
    _ fixture: Fixture
  ) async throws {
    try await migrated(fixture).using { store throws in
      for (home, number) in zip(try store.object(of: Later.Home.self), Rows.homes) {
        // Homes without an owner had the removed guest as their owner.
        #expect(home.owners.map(\.id) == (Links.owner(number).map { [Person.id($0)] } ?? []))
        let residents = Set(Links.residents(number)).map(Person.id).sorted()
        #expect(home.residents.map(\.id).sorted() == residents)
        let neighbours = Links.neighbours(number).sorted().map { "home \($0)" }
        #expect(home.neighbours.map(\.name) == neighbours)
        #expect(home.landlord?.id == Links.landlords(number).min().map(Person.id))
        let phones = Links.phones(number).sorted { bytes($0.key) < bytes($1.key) }
        #expect(home.phones.map(\.id) == phones.map { Person.id($0.value) })
      }
    }
  }

  private func bytes(_ text: String) -> String {
    text.utf8.map { String(Character(.init($0))) }.joined()
  }

  @Test(arguments: Fixture.withRelationships) func inverseRelationshipsAreMigrated(
    _ fixture: Fixture
  ) async throws {
    try await migrated(fixture).using { store throws in
      for number in Rows.homes {
        let name = "home \(number)"
        let cities = try store.query(Later.City.self)
          .where { $0.$homes.contains { $0.$name == name } }.all()
        #expect(cities.map(\.number) == [Links.city(number)])
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func theNewDeleteRulesApply(
    _ fixture: Fixture
  ) async throws {
    try await migrated(fixture).using { store throws in
      func home(_ number: Int) throws -> Later.Home {
        try store.object(of: Later.Home.self, primary: "home \(number)")
      }
      // The reference to a city was required before; now a removal sets it to nil.
      try store.remove(try #require(try home(2).city))
      #expect(try home(2).city == nil)
      let street = try home(2).street
      let error = #expect(throws: MagicError.self) { try store.remove(street) }
      #expect(error?.code == .stillReferenced)
      // Home 1 is the parent of home 2. Its removal no longer cascades.
      let chambers = try store.object(of: Later.Chamber.self).count
      try store.remove(try home(1))
      #expect(try home(2).parent == nil)
      #expect(try store.object(of: Later.Chamber.self).count == chambers)
      // The removal of a keeper cascades to homes.
      let keeper = try #require(try home(19).keeper)
      try store.remove(keeper)
      #expect(try !store.has(of: Later.Home.self, primary: "home 19"))
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withRelationships) func noRowIDOfACascadeIsAssignedAgain(
    _ fixture: Fixture
  ) async throws {
    try await migrated(fixture).using { store throws in
      #expect(try store.update(Later.Chamber(label: "new")).rawValue == 43)
      let home = Later.Home()
      home.name = "new"
      home.street = Later.Street()
      home.city = Later.City(name: "new")
      #expect(try store.update(home).rawValue == 22)
      #expect(home.city?.number == Rows.cities.upperBound + 1)
    }
  }

  @Test(arguments: Fixture.withRelationships) func cyclesKeepTheirReferences(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Knot.self, Later.Twin.self)
    try copy.using { store throws in
      let knots = try store.object(of: Later.Knot.self)
      #expect(knots.map { $0.next.map(\.number) } == Rows.knots.map { [Links.next($0)] })
      try store.remove(knots[4])
      #expect(try store.object(of: Later.Knot.self, primary: 4).next.isEmpty)
      let twins = try store.object(of: Later.Twin.self)
      let numbers = Dictionary(
        twins.map { ($0.name, $0.other?.name) }, uniquingKeysWith: { first, _ in first })
      #expect(twins.count == Rows.twins.count)
      for number in Rows.twins {
        #expect(numbers["twin \(number)"] == "twin \(Links.other(number))")
      }
      let name = twins[0].other?.name
      try store.remove(twins[0])
      let other = try #require(try store.first(of: Later.Twin.self) { $0.name == name ?? "" })
      #expect(other.other == nil)
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withRelationships) func collectionsOfARenamedTypeHaveTheirMembers(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Shelf.self)
    try copy.using { store throws in
      let shelves = try store.object(of: Later.Shelf.self)
      #expect(shelves.count == Rows.cupboards.count)
      for (shelf, number) in zip(shelves, Rows.cupboards) {
        #expect(Exact.text(shelf.label) == Exact.text(Sample.text(number)))
        #expect(shelf.content.map(\.value) == Links.content(number).map { Double($0) })
        #expect(shelf.spots.mapValues(\.value) == Links.spots(number).mapValues { Double($0) })
      }
      let stamp = try #require(shelves.flatMap(\.content).first)
      let error = #expect(throws: MagicError.self) { try store.remove(stamp) }
      #expect(error?.code == .stillReferenced)
    }
  }
}
