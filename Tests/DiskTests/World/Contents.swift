import Foundation
import MagicData

/// The contents of a database as plain values, read by the library.
struct Contents: Equatable {
  struct Book: Equatable {
    var title: String
    var text: Data?
    var author: String?
  }

  struct Shelf: Equatable {
    var books: [Int]
    var tags: Set<String>
    var places: [String: Int]
    var poster: Data?
    var borrowed: [Int]
  }

  struct Plate: Equatable {
    var name: String
    var stars: Int?
    var old: String?
    var scan: Data?
  }

  var authors: [String: Int] = [:]
  var books: [Int: Book] = [:]
  var shelves: [Int: Shelf] = [:]
  var tags: Set<String> = []
  var plates: [Int: Plate] = [:]

  init() {}

  /// - Parameter isMigrated: Whether the plates have been migrated.
  init(reading magic: MagicData, isMigrated: Bool) async throws {
    for author in try await magic.object(of: Models.Author.self) {
      authors[author.name] = author.age
    }
    for book in try await magic.object(of: Models.Book.self) {
      books[book.number] = Book(
        title: book.title, text: try book.text.load(), author: book.author?.name)
    }
    for (number, book) in books {
      let found = try await magic.query(Models.Book.self).matching(.phrase(book.title)).all()
      try require(found.contains { $0.number == number }, "a search does not find \(book.title)")
    }
    for shelf in try await magic.object(of: Models.Shelf.self) {
      shelves[shelf.number] = Shelf(
        books: shelf.books.map(\.number), tags: Set(shelf.tags.map(\.name)),
        places: shelf.places.mapValues(\.number), poster: try await shelf.poster.get().load(),
        borrowed: try await shelf.borrowed.get().map(\.number))
    }
    tags = Set(try await magic.object(of: Models.Tag.self).map(\.name))
    if isMigrated {
      for plate in try await magic.object(of: Models.Plate.self) {
        plates[plate.number] = Plate(
          name: plate.name, stars: plate.stars, scan: try plate.scan.load())
        let found = try await magic.query(Models.Plate.self).matching(.phrase(plate.name)).all()
        try require(
          found.contains { $0.number == plate.number }, "a search does not find \(plate.name)")
      }
    } else {
      // The old type and the new one cannot both be used while the database is open.
      for (number, title, old) in try await magic.sql("SELECT number, title, old FROM Plate")
        .rows(Int.self, String.self, String?.self)
      {
        plates[number] = Plate(name: title, old: old)
      }
    }
  }

  /// The number of objects.
  var count: Int { authors.count + books.count + shelves.count + tags.count + plates.count }

  /// Short descriptions of the differences from other contents.
  func differences(from other: Contents) -> [String] {
    var found: [String] = []
    if authors != other.authors { found.append("authors \(authors) and \(other.authors)") }
    for number in Set(books.keys).union(other.books.keys).sorted()
    where books[number] != other.books[number] {
      found.append("book \(number): \(name(books[number])) and \(name(other.books[number]))")
    }
    if shelves != other.shelves { found.append("shelves \(shelves) and \(other.shelves)") }
    if tags != other.tags { found.append("tags \(tags.sorted()) and \(other.tags.sorted())") }
    if plates != other.plates {
      found.append("plates \(plates.keys.sorted()) and \(other.plates.keys.sorted())")
    }
    return found
  }

  private func name(_ book: Book?) -> String {
    guard let book else { return "none" }
    return "\(book.title) by \(book.author ?? "no author"), \(book.text?.count ?? -1) bytes"
  }
}
