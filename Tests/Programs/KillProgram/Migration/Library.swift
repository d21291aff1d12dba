import Foundation
import MagicData
package import MagicStore

/// The rows of the database before and after the migration. Each value is derived from the row's
/// number.
package enum Library {
  private static let authors = 1...30
  private static let books = 1...60
  private static let shelves = 1...10

  /// The label of the shelf that `Way.saving` saves.
  package static let newLabel = "new"

  private static func authorName(_ number: Int) -> String { "author \(number)" }
  private static func author(of book: Int) -> Int { 1 + book * 7 % 30 }
  private static func summary(_ book: Int) -> String { book % 2 == 0 ? "about \(book)" : "" }
  private static func section(_ book: Int) -> String { book % 3 == 0 ? "" : "section \(book % 5)" }
  /// The scan of a book; pairs of consecutive books share one.
  private static func scan(_ book: Int) -> Int { book % 6 < 2 ? 20 + book / 2 : 0 }
  private static func books(on shelf: Int) -> [Int] {
    (0..<12).map { 1 + (shelf * 17 + $0 * $0) % 60 }
  }
  private static func guests(on shelf: Int) -> [Int] { (0..<5).map { 1 + (shelf + $0 * 11) % 30 } }
  private static func catalogue(on shelf: Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: (0..<4).map { ("key \($0)", 1 + (shelf + $0) % 60) })
  }

  // MARK: Before

  /// Fills a new database, and removes some of the rows.
  package static func fill(_ store: MagicObjectStore) throws {
    let authors = (1...32).map { Before.Author(name: authorName($0)) }
    for (author, mentor) in zip(authors.dropFirst(), authors) { author.mentor = mentor }
    var lastScan = (0, MagicAsset<Data>())
    let books = (1...64).map { number in
      let book = Before.Book(number)
      book.title = "book \(number)"
      book.price = Double(number) + 0.25
      book.pages = number * 3
      book.summary = summary(number)
      book.section = section(number)
      book.notes = "to be deleted"
      book.author = authors[author(of: number) - 1]
      book.cover = Content.asset(number % 4 == 0 ? number : 0)
      if scan(number) != lastScan.0 { lastScan = (scan(number), Content.asset(scan(number))) }
      book.scan = lastScan.1
      return book
    }
    for (book, sequel) in zip(books, books.dropFirst()) where book.number % 5 == 0 {
      book.sequel = sequel
    }
    let shelves = self.shelves.map { number in
      let shelf = Before.Shelf(label: "shelf \(number)")
      shelf.books = self.books(on: number).map { books[$0 - 1] }
      shelf.guests = MagicalSet(guests(on: number).map { authors[$0 - 1] })
      shelf.index = catalogue(on: number).mapValues { books[$0 - 1] }
      return shelf
    }
    try store.update(contentsOf: authors)
    try store.update(contentsOf: books)
    try store.update(contentsOf: shelves)
    try store.remove(contentsOf: Array(books[60...]))
    try store.remove(contentsOf: Array(authors[30...]))
  }

  // MARK: After

  /// Descriptions of the wrong values after the migration.
  package static func faults(in store: MagicObjectStore) throws -> [String] {
    var faults: [String] = []
    func expect(_ isRight: Bool, _ what: String) { if !isRight { faults.append(what) } }

    let writers = try store.object(of: After.Writer.self)
    expect(writers.map(\.name) == authors.map(authorName), "the writers' names")
    for (number, writer) in zip(authors, writers) {
      let mentor = number == 1 ? nil : authorName(number - 1)
      expect(writer.mentor?.name == mentor && writer.isLiving, "writer \(number)")
    }
    let named = try store.query(After.Writer.self).matching(.word("author")).count()
    expect(named == writers.count, "the search index of the writers")

    let books = try store.object(of: After.Book.self).sorted { $0.number < $1.number }
    expect(books.map(\.number) == Array(self.books), "the books' numbers")
    for (number, book) in zip(self.books, books) {
      let text = summary(number)
      let isRight =
        try book.name == "book \(number)" && book.cents == number * 100 + 25
        && book.pages == Double(number * 3)
        && book.section == (section(number).isEmpty ? nil : section(number))
        && book.authors.map(\.name) == [authorName(author(of: number))]
        && book.sequel?.number == (number % 5 == 0 && number < 60 ? number + 1 : nil)
        && book.summary.load() == (text.isEmpty ? nil : text)
        && book.scan.load() == (scan(number) == 0 ? nil : Content.of(scan(number)))
        && book.review.load() == "none yet"
      expect(isRight, "book \(number)")
      let found = try store.query(After.Book.self).matching(.phrase(book.name)).all()
      expect(found.contains { $0.number == number }, "the search index of book \(number)")
    }
    let withText = self.books.filter { !summary($0).isEmpty }.count
    let found = try store.query(After.Book.self).matching(.word("about")).count()
    expect(found == withText, "the search index of the summaries")

    let shelves = try store.object(of: After.Shelf.self).filter { $0.label != newLabel }
    expect(shelves.count == self.shelves.count, "the number of shelves")
    for (number, shelf) in zip(self.shelves, shelves) {
      expect(shelf.label == "shelf \(number)", "the label of shelf \(number)")
      expect(shelf.books.map(\.number) == self.books(on: number), "the books of shelf \(number)")
      expect(
        Set(shelf.guests.map(\.name)) == Set(guests(on: number).map(authorName))
          && shelf.guests.count == 5, "the guests of shelf \(number)")
      expect(
        shelf.catalogue.mapValues(\.number) == catalogue(on: number), "the keys of shelf \(number)")
    }
    return faults
  }
}
