import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicSchema
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Queries by primary, and the verb that asks for a primary, use the rows in memory.
@Suite(.timeLimit(.minutes(5))) struct CachedQueryTests {
  private let scratch = Scratch()
  private let statements = Recorder<String>()

  private struct Word: MagicObject {
    @PrimaryMagicValue var text: String
    @OptionMagicValue var note: String?

    init() {}
    init(_ text: String) { self.text = text }
  }

  private struct Level: MagicObject {
    @PrimaryMagicValue var value: Int8
    init() {}
    init(_ value: Int8) { self.value = value }
  }

  private struct Device: MagicObject {
    @PrimaryMagicValue var id: UUID
    init() {}
    init(_ id: UUID) { self.id = id }
  }

  /// Runs a body with a store that has the tickets 1 to 8.
  private func using(_ body: (MagicObjectStore) throws -> Void) throws {
    var options = MagicOptions()
    options.trace = { [statements] in statements.note($0) }
    try scratch.using(options) { store in
      try store.update(contentsOf: (1...8).map { Ticket(number: $0, "ticket \($0)") })
      try body(store)
    }
  }

  /// Returns the number of statements that a body runs.
  private func count(_ body: () throws -> Void) throws -> Int {
    let before = statements.count
    try body()
    return statements.count - before
  }

  private func first(_ number: Int, _ store: MagicObjectStore) throws -> Ticket? {
    try store.query(Ticket.self).where(\.$number == number).first()
  }

  @Test func aRowInMemoryIsFoundWithoutSQL() throws {
    try using { store in
      for _ in 0..<2 { _ = try store.object(of: Ticket.self, primary: 3) }
      let hits = store.cacheStatistics.hits
      let count = try count { () throws in
        #expect(try store.has(of: Ticket.self, primary: 3))
        #expect(try first(3, store)?.title == "ticket 3")
      }
      #expect(count == 0)
      #expect(store.cacheStatistics.hits == hits + 2)
    }
  }

  @Test func aQueryAddsItsRow() throws {
    try using { store in
      // The first reads take the last commit for one of another process.
      for _ in 0..<2 { _ = try first(4, store) }
      let count = try count { () throws in
        #expect(try first(4, store)?.title == "ticket 4")
        #expect(try store.object(of: Ticket.self, primary: 4).title == "ticket 4")
        #expect(try store.has(of: Ticket.self, primary: 4))
      }
      #expect(count == 0)
    }
  }

  @Test func missingRowsAreNotFound() throws {
    try using { store in
      for _ in 0..<3 {
        #expect(try first(9, store) == nil)
        #expect(try !store.has(of: Ticket.self, primary: 9))
      }
      try store.update(Ticket(number: 9, "late"))
      #expect(try first(9, store)?.title == "late")
      #expect(try store.has(of: Ticket.self, primary: 9))
      for _ in 0..<2 { _ = try first(9, store) }
      try store.remove(store.object(of: Ticket.self, primary: 9))
      #expect(try first(9, store) == nil)
      #expect(try !store.has(of: Ticket.self, primary: 9))
    }
  }

  @Test func eachQueryReturnsANewObject() throws {
    try using { store in
      for _ in 0..<2 { _ = try first(1, store) }
      let objects = try (0..<2).map { _ in try first(1, store) }
      objects[0]?.title = "changed"
      #expect(objects[1]?.title == "ticket 1")
      #expect(try first(1, store)?.title == "ticket 1")
    }
  }

  @Test func ownWritesAndThoseOfOthersAreSeen() throws {
    struct Stop: Error {}
    try using { store in
      func expect(_ title: String?, at location: SourceLocation = #_sourceLocation) throws {
        for _ in 0..<3 {
          #expect(try first(2, store)?.title == title, sourceLocation: location)
          #expect(
            try store.has(of: Ticket.self, primary: 2) == (title != nil), sourceLocation: location)
        }
      }
      try expect("ticket 2")
      try store.update(Ticket(number: 2, "own"))
      try expect("own")
      #expect(throws: Stop.self) {
        try store.transaction { transaction in
          try transaction.update(Ticket(number: 2, "lost"))
          let query = transaction.query(Ticket.self).where(\.$number == 2)
          #expect(try query.first()?.title == "lost")
          throw Stop()
        }
      }
      try expect("own")
      try store.sql("UPDATE Ticket SET title = 'sql' WHERE number = 2").run()
      try expect("sql")
      try scratch.change("UPDATE Ticket SET title = 'other' WHERE number = 2")
      try expect("other")
      try scratch.change("DELETE FROM Ticket WHERE number = 2")
      try expect(nil)
    }
  }

  @Test func aSnapshotKeepsItsState() throws {
    try using { store in
      for _ in 0..<2 { _ = try first(1, store) }
      try store.read { snapshot in
        let query = snapshot.query(Ticket.self).where(\.$number == 1)
        #expect(try query.first()?.title == "ticket 1")
        try scratch.change("DELETE FROM Ticket WHERE number = 1")
        #expect(try query.first()?.title == "ticket 1")
        #expect(try snapshot.has(of: Ticket.self, primary: 1))
      }
      #expect(try first(1, store) == nil)
    }
  }

  @Test func otherQueriesRunSQL() throws {
    try using { store in
      for _ in 0..<3 { _ = try first(5, store) }
      let query = store.query(Ticket.self).where(\.$number == 5)
      let queries: [(String, Int, () throws -> Ticket?)] = [
        ("another condition", 0, { try query.where(\.$title == "other").first() }),
        ("two primaries", 0, { try query.where(\.$number == 6).first() }),
        ("an offset", 0, { try query.offset(1).first() }),
        ("a limit of 0", 0, { try query.limit(0).first() }),
        ("an order", 5, { try query.order(by: \.$title).first() }),
        ("all", 5, { try query.all().first }),
        (
          "another property", 5,
          { try store.query(Ticket.self).where(\.$title == "ticket 5").first() }
        ),
        ("another operator", 6, { try store.query(Ticket.self).where(\.$number > 5).first() }),
        ("a negation", 1, { try store.query(Ticket.self).where { !($0.$number == 5) }.first() }),
      ]
      for (name, number, query) in queries {
        let count = try count { () throws in #expect(try query()?.number ?? 0 == number, "\(name)")
        }
        #expect(count > 0, "\(name)")
      }
    }
  }

  @Test func theSameConditionInAnotherFormUsesTheCache() throws {
    try using { store in
      for _ in 0..<3 { _ = try first(5, store) }
      let unbound = MagicQuery(Ticket.self).where { $0.$number == 5 }
      let count = try count { () throws in
        #expect(try store.query(Ticket.self).where { $0.$number == 5 }.first()?.number == 5)
        #expect(try store.query(Ticket.self).where(5 == \.$number).first()?.number == 5)
        #expect(try store.query(Ticket.self).where(\.$number == 5).limit(3).first()?.number == 5)
        #expect(try unbound.bound(to: store).first()?.number == 5)
      }
      #expect(count == 0)
    }
  }

  /// The results are those of a store without a cache.
  @Test(arguments: [0, 8 << 20]) func valuesAreComparedAsInSQL(size: Int) throws {
    try scratch.using(MagicOptions(rowCacheSize: size)) { store in
      let texts = ["", "a", "A", "a\0b", "a\0c", "\u{e4}", "a\u{308}", "5"]
      try store.update(contentsOf: texts.map { Word($0) })
      try store.update(contentsOf: [.min, 0, 1, .max].map { Level($0) })
      let ids = (0..<3).map { _ in UUID() }
      try store.update(contentsOf: ids.map { Device($0) })
      for _ in 0..<3 {
        for text in texts {
          let found = try store.query(Word.self).where(\.$text == text).first()
          #expect(found.map { Array($0.text.utf8) } == Array(text.utf8))
          #expect(try store.has(of: Word.self, primary: text))
        }
        for text in ["b", "a\0", "\u{308}", "5.0"] {
          #expect(try store.query(Word.self).where(\.$text == text).first() == nil)
          #expect(try !store.has(of: Word.self, primary: text))
        }
        for value: Int8 in [.min, 0, 1, .max] {
          #expect(try store.query(Level.self).where(\.$value == value).first()?.value == value)
          #expect(try store.has(of: Level.self, primary: Int(value)))
        }
        #expect(try store.query(Level.self).where(\.$value == 2).first() == nil)
        #expect(try !store.has(of: Level.self, primary: 1_000))
        for id in ids {
          #expect(try store.query(Device.self).where(\.$id == id).first()?.id == id)
          #expect(try store.has(of: Device.self, primary: id))
        }
        #expect(try !store.has(of: Device.self, primary: UUID()))
        let noted = try store.query(Word.self).where(\.$note == nil).order(by: \.$text).first()
        #expect(noted?.text == "")
        #expect(try store.query(Word.self).where(\.$note == "a").first() == nil)
      }
    }
  }
}
