import Foundation
import MagicStore
import SQLiteStore

/// A program with the earlier types: it uses them, waits for a line on its input, and uses them
/// again after another process has migrated the database to later types.
struct OlderWork {
  private let path: String

  init(_ path: String) { self.path = path }

  func run() throws {
    let store = try MagicObjectStore.open(.file(path))
    let books = try store.object(of: Before.Book.self)
    // Two saves that restore the old title, so that only the caches of the writer connection
    // change.
    let title = books[0].title
    for text in ["changed", title] {
      books[0].title = text
      try store.update(books[0])
    }
    Message.ready.send()
    _ = readLine()

    try expectError("reading") { _ = try store.object(of: Before.Book.self) }
    books[1].pages = 7
    try expectError("changing") { try store.update(books[1]) }
    try expectError("removing") { try store.remove(books[2]) }
    let book = Before.Book(900)
    (book.title, book.price, book.pages, book.summary) = ("new", 1, 1, "")
    (book.section, book.notes, book.author) = ("", "", books[3].author)
    try expectError("inserting") { try store.update(book) }
    try expectError("removing all") { try store.removeAll(of: Before.Book.self) }
    store.close()
  }

  /// Reports a call that does not fail with an error of the library.
  private func expectError(_ call: String, _ body: () throws -> Void) throws {
    do {
      try body()
      Message.failure("\(call) with the earlier types did not fail").send()
    } catch let error as MagicError {
      guard error.code != .database else { return }
      Message.statement("\(call): \(error.code)").send()
    }
  }
}
