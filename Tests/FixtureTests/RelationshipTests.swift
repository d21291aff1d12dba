import MagicQuery
import MagicRelations
import MagicStore
import Testing

/// The relationships of fixtures.
@Suite struct RelationshipTests {
  @Test(arguments: Fixture.withRelationships) func everyToOneRefersToItsWrittenTarget(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let homes = try store.object(of: Home.self)
      #expect(homes.map(\.name) == Rows.homes.map { "home \($0)" })
      for (home, number) in zip(homes, Rows.homes) {
        #expect(home.city.number == Links.city(number))
        #expect(Exact.text(home.city.name) == Exact.text(Sample.text(Links.city(number))))
        #expect(home.street.name == "street \(number)")
        #expect(home.owner?.id == Links.owner(number).map(Person.id))
        #expect(home.parent?.name == Links.parent(number).map { "home \($0)" })
        #expect(home.keeper?.id == Links.keeper(number).map(Person.id))
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func everyListHasItsMembersInOrder(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      for (home, number) in zip(try store.object(of: Home.self), Rows.homes) {
        #expect(home.residents.map(\.id) == Links.residents(number).map(Person.id))
        #expect(home.rooms.map(\.zIndex?.rawValue) == Links.rooms(number).map { Int64($0) })
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func everySetHasItsMembers(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      for (home, number) in zip(try store.object(of: Home.self), Rows.homes) {
        let neighbours = Links.neighbours(number).map { "home \($0)" }
        #expect(home.neighbours.map(\.name).sorted() == neighbours.sorted())
        let landlords = Links.landlords(number).map(Person.id)
        #expect(home.landlords.map(\.id).sorted() == landlords.sorted())
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func everyDictionaryHasItsMembers(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      for (home, number) in zip(try store.object(of: Home.self), Rows.homes) {
        #expect(home.phones.mapValues(\.id) == Links.phones(number).mapValues(Person.id))
        let floors = Links.floors(number).mapValues { Int64($0) }
        #expect(home.floors.mapValues { $0.zIndex?.rawValue } == floors)
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func aTableWithQuotesInItsNameHasItsMembers(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let cupboards = try store.object(of: Cupboard.self)
      #expect(cupboards.count == Rows.cupboards.count)
      for (cupboard, number) in zip(cupboards, Rows.cupboards) {
        #expect(Exact.text(cupboard.label) == Exact.text(Sample.text(number)))
        #expect(cupboard.content.map(\.value) == Links.content(number))
        #expect(cupboard.spots.mapValues(\.value) == Links.spots(number))
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func everyCycleIsComplete(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let knots = try store.object(of: Knot.self)
      #expect(knots.map(\.number) == Array(Rows.knots))
      #expect(knots.map { $0.next?.number } == Rows.knots.map(Links.next))
      var knot: Knot? = knots.first
      for _ in Rows.knots { knot = knot?.next }
      #expect(knot?.number == 1)
      let twins = try store.object(of: Twin.self)
      #expect(twins.count == Rows.twins.count)
      let others = Dictionary(uniqueKeysWithValues: twins.map { ($0.name, $0.other.name) })
      for number in Rows.twins {
        #expect(others["twin \(number)"] == "twin \(Links.other(number))")
      }
    }
  }

  @Test(arguments: Fixture.withRelationships) func queriesFindInverseRelationships(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let cities = try store.query(City.self).where { $0.$homes.count == 1 }.count()
      #expect(cities == Rows.cities.count)
      let first = try store.query(City.self)
        .where { $0.$homes.contains { $0.$name == "home 20" } }.all()
      #expect(first.map(\.number) == [Links.city(20)])
      let crowded = try store.query(Home.self).where { $0.$residents.count > 10 }.count()
      #expect(crowded == Rows.homes.count { Links.residents($0).count > 10 })
    }
  }
}
