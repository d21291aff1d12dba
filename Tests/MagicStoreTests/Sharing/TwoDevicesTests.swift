import EngineConformance
import Foundation
import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

private struct Book: MagicObject {
  @MagicValue var title = ""

  init() {}

  init(_ title: String) { self.title = title }
}

private struct Shelf: MagicObject {
  @MagicValue var name = ""
  @MagicValue var books: [Book] = []

  init() {}
}

/// Two devices have copies of one file, change them, and exchange the changes.
@Suite(.enabled(if: Changesets() != nil, "SQLite was built without the session extension."))
struct TwoDevicesTests {
  private static let tables = ["Book", "Shelf", "magic_Shelf.books"]

  let scratch = Scratch()

  private func add(_ count: Int, to name: String) throws {
    try scratch.using(name) { store throws in
      let shelf = try #require(try store.object(of: Shelf.self).first)
      for number in 1...count {
        shelf.books.append(Book("\(name) \(number)"))
        try store.update(shelf)
      }
    }
  }

  private func titles(_ name: String) throws -> [String] {
    var titles: [String] = []
    try scratch.using(name) { store throws in
      titles = try #require(try store.object(of: Shelf.self).first).books.map(\.title)
      #expect(try store.object(of: Book.self).count == 201 || !isPrepared(store))
      #expect(try store.verify().findings == [])
    }
    return titles
  }

  private func isPrepared(_ store: MagicObjectStore) throws -> Bool {
    try store.sql("SELECT store_number FROM magic_format").rows(Int.self) != [0]
  }

  /// - Returns: the number of changes that conflict.
  private func exchange() throws -> Int {
    let changesets = try #require(Changesets())
    let first = try changesets.changes(
      from: scratch.file("base"), to: scratch.file("first"), tables: Self.tables)
    let second = try changesets.changes(
      from: scratch.file("base"), to: scratch.file("second"), tables: Self.tables)
    return try changesets.apply(first, to: scratch.file("second"))
      + changesets.apply(second, to: scratch.file("first"))
  }

  private func makeBase() throws {
    try scratch.using("first") { store throws in
      let shelf = Shelf()
      shelf.books = [Book("first of all")]
      try store.update(shelf)
    }
  }

  @Test func bothDevicesHaveAllBooksAfterAnExchange() throws {
    try makeBase()
    try scratch.using("first") { try $0.prepareForSharing() }
    try scratch.copy("first", to: "base")
    try scratch.copy("first", to: "second")
    try scratch.using("second") { try $0.prepareForSharing(asCopy: true) }
    try add(100, to: "first")
    try add(100, to: "second")
    #expect(try exchange() == 0)
    let titles = try titles("first")
    #expect(titles.count == 201)
    #expect(Set(titles).count == 201)
    #expect(try self.titles("second") == titles)
    for device in ["first", "second"] {
      #expect(titles.filter { $0.hasPrefix(device + " ") && $0 != "first of all" }.count == 100)
    }
  }

  @Test func withoutPreparationTheRowsOfOneDeviceConflict() throws {
    try makeBase()
    try scratch.copy("first", to: "base")
    try scratch.copy("first", to: "second")
    try add(100, to: "first")
    try add(100, to: "second")
    // 100 books and 100 join rows in each direction.
    #expect(try exchange() == 400)
    #expect(try titles("first").count == 101)
  }

  @Test func membersThatTwoDevicesInsertAtOnePlaceBothStay() throws {
    try makeBase()
    try scratch.using("first") { store throws in
      try store.prepareForSharing()
      let shelf = try #require(try store.object(of: Shelf.self).first)
      shelf.books.append(Book("last of all"))
      try store.update(shelf)
    }
    try scratch.copy("first", to: "base")
    try scratch.copy("first", to: "second")
    try scratch.using("second") { try $0.prepareForSharing(asCopy: true) }
    for device in ["first", "second"] {
      try scratch.using(device) { store throws in
        let shelf = try #require(try store.object(of: Shelf.self).first)
        shelf.books.insert(Book("\(device), in the middle"), at: 1)
        shelf.books.insert(Book("\(device), at the front"), at: 0)
        try store.update(shelf)
      }
    }
    #expect(try exchange() == 0)
    for device in ["first", "second"] {
      try scratch.using(device) { store throws in
        let titles = try #require(try store.object(of: Shelf.self).first).books.map(\.title)
        #expect(titles.count == 6)
        #expect(titles[0].hasSuffix("at the front") && titles[1].hasSuffix("at the front"))
        #expect(titles[2] == "first of all" && titles[5] == "last of all")
      }
    }
  }
}
