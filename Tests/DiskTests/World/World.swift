import Foundation
import MagicData
import MagicFiles
import MagicSQLite
import MagicStore

/// A database on a disk, and the objects that a program has of it.
final class World {
  let path: String
  let options: MagicOptions
  private(set) var store: MagicObjectStore?
  private var opened: MagicData?
  private var observation: Observation?
  var isMigrated = false
  /// Numbers of the books that several tasks have saved.
  var savedByTasks: Set<Int> = []

  var shelf = Models.Shelf(1)
  var ada = Models.Author("Ada")
  var grace = Models.Author("Grace")
  var plate = Models.Plate(100)
  var books: [Models.Book] = []

  init(path: String, options: MagicOptions) {
    self.path = path
    self.options = options
  }

  struct NotOpen: Error {}

  var magic: MagicData {
    get throws {
      guard let opened else { throw NotOpen() }
      return opened
    }
  }

  var backupPath: String { path + ".copy.sqlite3" }

  func open() throws {
    let store = try MagicObjectStore.open(.file(path), options: options)
    (self.store, opened) = (store, MagicData(store: store))
  }

  func close() async {
    await opened?.close()
    (store, opened) = (nil, nil)
  }

  func observe() throws { observation = Observation(of: try magic) }

  /// The books that were inserted during the observation, after the database was closed.
  func observedBooks() async -> Set<ZIndex> { await observation?.rows() ?? [] }

  func contents() async throws -> Contents {
    try await Contents(reading: magic, isMigrated: isMigrated)
  }

  /// A database that a program with an earlier version of the library has left some time ago: its
  /// free pages cannot be returned.
  static func prepare(at path: String) async throws {
    try SQLiteConnection(path: path).execute("PRAGMA auto_vacuum = NONE; VACUUM")
    let magic = try await MagicData(path: path)
    try await magic.update(contentsOf: (1...4).map { Models.Before.Plate($0) })
    let shelf = Models.Shelf(7)
    shelf.books = [Models.Book(70), Models.Book(71, by: Models.Author("Alan"))]
    shelf.tags = [Models.Tag("old")]
    try await magic.update(shelf)
    await magic.close()
  }
}

/// Follows the changes of books until their database is closed.
private struct Observation {
  private let task: Task<Set<ZIndex>, Never>

  init(of magic: MagicData) {
    let changes = magic.changes(of: Models.Book.self)
    task = Task {
      var rows: Set<ZIndex> = []
      for await change in changes {
        rows.formUnion(change.inserted)
        rows.subtract(change.deleted)
      }
      return rows
    }
  }

  /// The rows that were inserted and not deleted.
  func rows() async -> Set<ZIndex> { await task.value }
}
