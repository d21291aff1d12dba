import MagicData
import Workloads

/// An object with a dictionary of others.
struct Shelf: MagicObject {
  @MagicValue var room: String
  @MagicValue var books: [String: Book]

  init() {}

  init(_ shelf: PlainShelf) {
    room = shelf.room
    books = Dictionary(uniqueKeysWithValues: shelf.books.map { ($0.key, Book($0)) })
  }
}

/// A value of the dictionary.
struct Book: MagicObject {
  @MagicValue var title: String
  @MagicValue var pages: Int

  init() {}

  init(_ book: PlainBook) {
    title = book.title
    pages = book.pages
  }
}
