import MagicQuery
import MagicStore
import Testing

/// Row IDs and primaries that were assigned once are not assigned again.
@Suite struct NumberTests {
  @Test(arguments: Fixture.allCases) func removedPrimariesAreNotAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let ticket = Ticket(title: "new")
      try store.update(ticket)
      #expect(ticket.number == Rows.tickets.upperBound + 1)
      let draft = Draft(text: "new")
      try store.update(draft)
      #expect(draft.number == Rows.drafts.upperBound + 1)
    }
  }

  @Test(arguments: Fixture.allCases) func removedRowIDsAreNotAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let stamp = try store.update(Stamp(number: 50))
      #expect(stamp.rawValue == Int64(Rows.stamps.upperBound + 1))
      let ticket = try store.update(Ticket(title: "new"))
      #expect(ticket.rawValue == Int64(Rows.tickets.upperBound + 1))
      let draft = try store.update(Draft(text: "new"))
      #expect(draft.rawValue == Int64(Rows.drafts.upperBound + 1))
      let book = try store.update(Book(number: 50))
      #expect(book.rawValue == Int64(Rows.books.upperBound + 1))
      // If no row was removed, they continue after the last row.
      let ledger = try store.update(Ledger(number: 31))
      #expect(ledger.rawValue == Int64(Rows.ledgers.upperBound + 1))
    }
  }

  /// The 25th person, the 21st home, and its two members after the 40th were removed.
  @Test(arguments: Fixture.withRelationships) func noRowIDOfACascadeIsAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      #expect(try store.update(Person(number: 25)).rawValue == 26)
      #expect(try store.update(Room(label: "new")).rawValue == 43)
      let home = Home()
      home.name = "new"
      home.city = City(name: "new")
      home.street = Street(name: "new")
      #expect(try store.update(home).rawValue == 22)
      #expect(home.city.number == Rows.cities.upperBound + 1)
    }
  }

  @Test(arguments: Fixture.withQueries) func rowIDsThatAQueryRemovedAreNotAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let score = Score(total: 1)
      #expect(try store.update(score).rawValue == Int64(Rows.scores.upperBound + 1))
      #expect(score.number == Rows.insertedScore + 1)
    }
  }

  @Test(arguments: Fixture.withAssets) func noRowIDOfAPhotoIsAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let photo = Photo()
      #expect(try store.update(photo).rawValue == Int64(Rows.photos.upperBound + 1))
      #expect(photo.number == Rows.photos.upperBound + 1)
    }
  }
}
