import Foundation
import MagicQuery
import MagicStore
import Testing

/// The values of fixtures.
@Suite struct ValueTests {
  @Test(arguments: Fixture.allCases) func everyPersonHasItsWrittenValues(_ fixture: Fixture) throws
  {
    try fixture.copy().using { store throws in
      let people = try store.object(of: Person.self)
      #expect(people.map(\.exact) == Rows.people.map { Person(number: $0).exact })
      #expect(people.map(\.zIndex?.rawValue) == Rows.people.map { Int64($0) })
    }
  }

  @Test(arguments: Fixture.allCases) func everyMeasureHasItsWrittenValues(_ fixture: Fixture) throws
  {
    try fixture.copy().using { store throws in
      let measures = try store.object(of: Measure.self)
      #expect(measures.map(\.exact) == Rows.measures.map { Measure(number: $0).exact })
    }
  }

  @Test(arguments: Fixture.allCases) func everyRemainingTicketIsFetched(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let tickets = try store.object(of: Ticket.self)
      let numbers = Rows.tickets.without(Rows.ticketsRemoved)
      #expect(tickets.map(\.number) == numbers)
      #expect(tickets.map { Exact.text($0.title) } == numbers.map { Exact.text(Sample.text($0)) })
    }
  }

  @Test(arguments: Fixture.allCases) func everyRemainingStampIsFetched(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let stamps = try store.stamps()
      let numbers = Rows.stamps.without(Rows.stampsRemoved)
      #expect(stamps.map(\.value) == numbers)
      #expect(stamps.map { Exact.text($0.motif) } == numbers.map { Exact.text(Sample.text($0)) })
      #expect(stamps.map(\.zIndex?.rawValue) == numbers.map { Int64($0) })
    }
  }

  @Test(arguments: Fixture.allCases) func everyBookHasItsWrittenValues(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let books = try store.object(of: Book.self)
      let numbers = Rows.books.without(Rows.booksRemoved)
      #expect(books.map(\.exact) == numbers.map { Book(number: $0).exact })
    }
  }

  /// Rows that were written before the change have the defaults of the added columns.
  @Test(arguments: Fixture.allCases) func everyLedgerOfAChangedTableIsFetched(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let ledgers = try store.object(of: Ledger.self)
      #expect(ledgers.map(\.exact) == Rows.ledgers.map { Ledger(number: $0).exact })
    }
  }

  @Test(arguments: Fixture.allCases) func noDraftRemains(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      #expect(try store.object(of: Draft.self).isEmpty)
    }
  }

  @Test(arguments: Fixture.allCases) func rowsAreFoundByTheirPrimaries(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      for number in Rows.people {
        let expected = Person(number: number)
        let person = try store.object(of: Person.self, primary: expected.id)
        #expect(person.exact == expected.exact)
      }
      for number in Rows.measures {
        #expect(try store.has(of: Measure.self, primary: Sample.uuid(number, 6)))
      }
      for number in Rows.ticketsRemoved {
        #expect(try !store.has(of: Ticket.self, primary: number))
      }
    }
  }

  @Test(arguments: Fixture.allCases) func queriesFindTheRows(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      for number in Rows.people {
        let name = Sample.text(number)
        let same = Rows.people.filter { Exact.text(Sample.text($0)) == Exact.text(name) }
        let found = try store.query(Person.self).where { $0.$name == name }.all()
        #expect(found.compactMap(\.zIndex?.rawValue).sorted() == same.map { Int64($0) })
        let token = Sample.uuid(number)
        #expect(try store.query(Person.self).where { $0.$token == token }.count() == 1)
      }
      let picture = Sample.data(3)
      #expect(try store.query(Person.self).where { $0.$picture == picture }.count() == 1)
      let open = try store.query(Ledger.self).where(\.$isOpen).count()
      #expect(open == Rows.ledgersOfEarlier.count)
    }
  }
}
