import Foundation
import MagicAsync
import MagicRelations
import MagicStore
import Testing

/// Changes of files that earlier versions wrote.
@Suite struct ChangeTests {
  @Test(arguments: Fixture.allCases) func newRowsAreSavedChangedAndRemoved(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    let person = Person(number: 100)
    try copy.using { store throws in
      try store.update(person)
      #expect(try store.object(of: Person.self).count == Rows.people.count + 1)
    }
    try copy.using { store throws in
      let fetched = try store.object(of: Person.self, primary: person.id)
      #expect(fetched.exact == person.exact)
      fetched.name = "changed"
      fetched.age = nil
      try store.update(fetched)
    }
    try copy.using { store throws in
      let changed = try store.object(of: Person.self, primary: person.id)
      #expect(changed.name == "changed")
      try store.remove(changed)
      #expect(try !store.has(of: Person.self, primary: person.id))
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.allCases) func existingRowsAreChanged(_ fixture: Fixture) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      let measures = try store.object(of: Measure.self)
      for measure in measures { measure.small = 7 }
      try store.update(contentsOf: measures)
      let books = try store.object(of: Book.self)
      for book in books { book.year = (book.year ?? 0) + 1 }
      try store.update(contentsOf: books)
    }
    try copy.using { store throws in
      #expect(try store.object(of: Measure.self).allSatisfy { $0.small == 7 })
      let years = Rows.books.without(Rows.booksRemoved).map { (Book(number: $0).year ?? 0) + 1 }
      #expect(try store.object(of: Book.self).map(\.year) == years)
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.allCases) func uniqueIndexesAreEnforced(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let book = Book(number: 3)
      book.isbn = "another"
      let error = #expect(throws: MagicError.self) { try store.update(book) }
      #expect(error?.code == .notUnique)
      let person = Person(number: 3)
      person.id = "another"
      let other = #expect(throws: MagicError.self) { try store.update(person) }
      #expect(other?.code == .notUnique)
    }
  }

  /// This includes files of a version without relationships.
  @Test(arguments: Fixture.allCases) func relationshipsToItsRowsAreAdded(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      let people = try store.object(of: Person.self)
      let home = Home()
      home.name = "new"
      home.city = City(name: "new")
      home.street = Street(name: "new")
      home.owner = people[0]
      home.keeper = people[1]
      home.residents = [people[2], people[3], people[2]]
      home.rooms = [Room(label: "new")]
      try store.update(home)
    }
    try copy.using { store throws in
      let home = try store.object(of: Home.self, primary: "new")
      #expect(home.owner?.id == Person.id(1))
      #expect(home.residents.map(\.id) == [3, 4, 3].map(Person.id))
      let keeper = try #require(home.keeper)
      let error = #expect(throws: MagicError.self) { try store.remove(keeper) }
      #expect(error?.code == .stillReferenced)
      #expect(try store.verify().findings == [])
    }
  }

  /// This includes files of a version without assets.
  @Test(arguments: Fixture.allCases) func filesAreAdded(_ fixture: Fixture) throws {
    let copy = try fixture.copy()
    let photo = Photo()
    try copy.using { store throws in
      photo.image = .init(value: Data([1, 2, 3]), pathExtension: "png")
      try store.update(photo)
      let library = Library()
      library.name = "new"
      library.keeper = .init(value: try store.object(of: Person.self, primary: Person.id(1)))
      library.photos = .init(value: [photo])
      library.text = .init(value: .init(value: "text"))
      try store.update(library)
    }
    try copy.using { store throws in
      let library = try store.object(of: Library.self, primary: "new")
      #expect(try library.keeper.get(in: store).id == Person.id(1))
      let photos = try library.photos.get(in: store)
      #expect(try photos.map { try $0.image.load() } == [Data([1, 2, 3])])
      #expect(try library.text.get(in: store).load() == "text")
      #expect(try store.verify().findings == [])
    }
  }
}
