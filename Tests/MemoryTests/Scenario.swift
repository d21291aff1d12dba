import Foundation
import MagicData
import MagicStore
import MagicTestSupport

/// An operation on an existing database that can run out of memory.
struct Scenario: Sendable {
  let name: String
  /// The operation, with an open store.
  let run: @Sendable (MagicObjectStore) throws -> Void
  /// Whether the store is opened before the operation.
  var isOpen = true
  /// Whether the operation changes the stored state.
  var isWriting = true

  static let all: [Scenario] = [
    Scenario(
      name: "opening", run: { try Samples.check($0.object(of: Reader.self).count == 3) },
      isOpen: false, isWriting: false),
    Scenario(name: "saving") { try $0.update(Samples.newShelf()) },
    Scenario(name: "changing") { store in
      let shelf = try store.object(of: Shelf.self, primary: "a")
      shelf.books.remove(at: 1)
      shelf.books.insert(Book(200), at: 0)
      shelf.books[2].title = Book.title(1_000)
      shelf.books[2].cover = .init(value: Book.cover(shelf.books[2].number), pathExtension: "png")
      shelf.readers = []
      try store.update(shelf)
    },
    Scenario(name: "a transaction") { store in
      try store.transaction { transaction in
        try transaction.query(Book.self).where(\.$number < 5).update(set: \.$title, to: "none")
        do {
          try transaction.transaction { inner in
            try inner.update(Reader("lost"))
            throw Refused()
          }
        } catch is Refused {}
        try transaction.update(Samples.newShelf())
        try transaction.query(Reader.self).where(\.$name == "r3").delete()
      }
    },
    Scenario(
      name: "fetching",
      run: { store in
        let shelves = try store.object(of: Shelf.self)
        try Samples.check(shelves.map(\.books.count) == [4, 8])
        try Samples.check(shelves[1].readers.count == 2)
        try Samples.check(shelves[0].keeper?.name == "r1")
        for book in shelves[0].books {
          try Samples.check(try book.cover.load() == Book.cover(book.number))
        }
      }, isWriting: false),
    Scenario(
      name: "querying",
      run: { store in
        let query = store.query(Book.self).where { $0.$shelves.count > 0 && $0.$number > 2 }
        try Samples.check(try query.count() == 10)
        try Samples.check(try query.order(by: \.$title).limit(3).all().count == 3)
        try Samples.check(try store.sql("SELECT sum(number) FROM Book").value(Int.self) == 78)
      }, isWriting: false),
    Scenario(name: "removing") { store in
      try store.remove(store.object(of: Shelf.self, primary: "b"))
    },
    Scenario(name: "migrating") { try $0.migrate(Later.Reader.self) },
    Scenario(name: "observing") { store in
      let types: Set<String> = ["shelf", "book", "reader"]
      let observer = ChangeObserver(ObservationFilter(types: types), capacity: 8) { $0 }
      store.observe(observer)
      defer { observer.cancel() }
      do {
        try store.update(Samples.newShelf())
      } catch {
        // Changes that are not stored are not reported.
        try Samples.check(observer.takeAll() == nil)
        throw error
      }
      let changes = observer.takeAll()
      try Samples.check(changes?.isUnknown == false)
      try Samples.check(changes?.tables.values.reduce(0) { $0 + $1.rows.count } == 6)
    },
    Scenario(
      name: "copying",
      run: { store in
        try withTemporaryDirectory { directory in
          do {
            try store.backup(to: directory.appendingPathComponent("copy.sqlite3"))
          } catch {
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            try Samples.check(names.isEmpty)
            throw error
          }
          let copy = directory.appendingPathComponent("copy.sqlite3").path
          let copied = try MagicObjectStore.open(.file(copy), options: Samples.options)
          defer { copied.close() }
          try Samples.check(copied.object(of: Shelf.self).map(\.books.count) == [4, 8])
          try Samples.check(copied.verify().isSound)
        }
      }, isWriting: false),
  ]
}

/// An error that is thrown inside a transaction to roll it back.
struct Refused: Error {}

/// An error for a fetch whose result differs from the stored values.
struct WrongResult: Error {}

/// The database at the start of each scenario.
enum Samples {
  static func make(at path: String) throws {
    let store = try MagicObjectStore.open(.file(path), options: options)
    defer { store.close() }
    let readers = ["r1", "r2", "r3"].map { Reader($0) }
    try store.update(contentsOf: readers)
    try store.update(Shelf("a", books: 1...4, readers: [readers[0]]))
    try store.update(Shelf("b", books: 5...12, readers: [readers[0], readers[1]]))
  }

  /// Snapshots are held for long, so that a slow run requests memory as often as a fast one.
  static let options = MagicOptions(durability: .normal, readers: 2, heldSnapshotTime: 3_600)

  static func newShelf() -> Shelf { Shelf("new", books: 101...104, readers: [Reader("r4")]) }

  static func check(_ isTrue: Bool) throws {
    guard isTrue else { throw WrongResult() }
  }

  /// Copies a closed database.
  static func copy(_ path: String, to other: String) throws {
    for suffix in ["", "-assets"] {
      try? FileManager.default.removeItem(atPath: other + suffix)
      try FileManager.default.copyItem(atPath: path + suffix, toPath: other + suffix)
    }
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: other + suffix) }
  }
}
