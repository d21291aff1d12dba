import Foundation
import MagicDataTesting
import MagicStore
import Testing

/// Migrations of values, in a file of each version. Unchanged values are kept exactly.
@Suite struct ValueMigrationTests {
  @Test(arguments: Fixture.allCases) func people(_ fixture: Fixture) async throws {
    let copy = try fixture.copy()
    let plan = try await copy.migrate(Later.Person.self)
    #expect(plan.kind == .destroying && plan.refused.isEmpty)
    try copy.using { store throws in
      let people = try store.object(of: Later.Person.self)
      #expect(people.count == Rows.people.count)
      for (person, number) in zip(people, Rows.people) {
        let old = Person(number: number)
        #expect(Exact.text(person.id) == Exact.text(old.id))
        #expect(Exact.text(person.name) == Exact.text(old.name))
        #expect(person.age == old.age ?? -7)
        #expect(person.size.bitPattern == old.height.bitPattern)
        #expect(person.born == old.born && person.token == old.token)
        #expect(person.face == old.picture)
        #expect(person.mood == old.mood && person.job == old.job)
        #expect(person.tags.map(Exact.text).sorted() == old.tags.map(Exact.text).sorted())
        #expect(person.lines == old.lines.count)
        #expect(person.motto == "it's \"new\" 📌")
      }
    }
  }

  @Test(arguments: Fixture.allCases) func measures(_ fixture: Fixture) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Measure.self)
    try copy.using { store throws in
      let measures = try store.object(of: Later.Measure.self)
      #expect(measures.count == Rows.measures.count)
      for (measure, number) in zip(measures, Rows.measures) {
        let old = Measure(number: number)
        #expect(measure.id == old.id)
        #expect(measure.small == Double(old.small))
        #expect(measure.natural == String(old.natural))
        #expect(measure.huge == old.huge)
        #expect(measure.isTrue == old.isTrue && measure.isSure == old.isSure ?? true)
        #expect(measure.ratio.bitPattern == old.ratio.bitPattern)
        #expect(measure.link == old.link)
        #expect(measure.bytes == old.bytes && measure.data == old.data)
        #expect(measure.note == old.note.map { Data($0.utf8) })
        #expect(measure.rank == old.rank)
        #expect(measure.warmth == old.warmth.map { Exact.real($0.degrees) })
        #expect(measure.best == old.scores.values.max())
      }
    }
  }

  /// This includes a row that raw SQL has inserted.
  @Test(arguments: Fixture.withQueries) func scores(_ fixture: Fixture) async throws {
    let copy = try fixture.copy()
    #expect(try await copy.migrate(Later.Score.self).kind == .rewriting)
    try copy.using { store throws in
      let scores = try store.object(of: Later.Score.self)
      let numbers = Rows.scores.without(Rows.scoresRemoved) + [Rows.insertedScore]
      #expect(scores.map(\.number) == numbers)
      #expect(scores.map(\.total) == numbers.map { String(ScoresWriting.total($0)) })
      let remarks = numbers.map { Exact.text(ScoresWriting.remark($0) ?? "none") }
      #expect(scores.map { Exact.text($0.remark) } == remarks)
      let score = Later.Score(total: "1")
      #expect(try store.update(score).rawValue == Int64(Rows.scores.upperBound + 1))
      #expect(score.number == Rows.insertedScore + 1)
    }
  }

  @Test(arguments: Fixture.allCases) func books(_ fixture: Fixture) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Book.self)
    try copy.using { store throws in
      let books = try store.object(of: Later.Book.self)
      let old = Rows.books.without(Rows.booksRemoved).map { Book(number: $0) }
      #expect(books.map(\.isbn) == old.map(\.isbn))
      #expect(books.map { Exact.text($0.series) } == old.map { Exact.text($0.series) })
      #expect(books.map(\.volume) == old.map { Double($0.volume) })
      #expect(books.map(\.year) == old.map { $0.year.map(String.init) })
      #expect(Set(books.map(\.key)).count == books.count)
      let third = try store.object(of: Later.Book.self, primary: books[2].key)
      #expect(third.isbn == "isbn-3")
      third.isbn = "isbn-4"
      let error = #expect(throws: MagicError.self) { try store.update(third) }
      #expect(error?.code == .notUnique)
    }
  }

  /// An earlier migration has changed this table in every version.
  @Test(arguments: Fixture.allCases) func ledgers(_ fixture: Fixture) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Ledger.self)
    try copy.using { store throws in
      let ledgers = try store.object(of: Later.Ledger.self)
      #expect(ledgers.count == Rows.ledgers.count)
      for (ledger, number) in zip(ledgers, Rows.ledgers) {
        let old = Ledger(number: number)
        #expect(ledger.code == old.code && ledger.amount == Double(old.amount))
        #expect(Exact.text(ledger.city) == Exact.text(old.town))
        #expect(Exact.text(ledger.remark) == Exact.text(old.remark ?? "none"))
        #expect(ledger.isOpen == old.isOpen)
        #expect(ledger.rate == Int(exactly: old.rate) ?? 0)
        let currency = number > 20 ? old.currency : nil
        #expect(Exact.text(ledger.currency) == Exact.text(currency))
      }
    }
  }
}
