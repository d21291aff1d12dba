import EngineConformance
import Foundation
import MagicQuery
import MagicRuntime
import MagicSQLite
import MagicSchema
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The rows that readers have looked up by primary.
@Suite(.timeLimit(.minutes(5))) struct RowCacheTests {
  let scratch = Scratch()

  private struct Word: MagicObject {
    @PrimaryMagicValue var text: String
    @MagicValue var count: Int
    @OptionMagicValue var note: Data?

    init() {}
    init(_ text: String, count: Int = 0) {
      self.text = text
      self.count = count
    }
  }

  private struct Page: MagicObject {
    @PrimaryMagicValue var number: Int
    @OptionMagicValue var word: Word?
    init() {}
  }

  private struct Device: MagicObject {
    @PrimaryMagicValue var id: UUID
    @MagicValue var name: String
    init() {}
  }

  private struct Part: MagicObject {
    @PrimaryMagicValue var id: MagicUUID
    @MagicValue var name: String
    init() {}
  }

  private func title(_ number: Int, _ store: MagicObjectStore) throws -> String? {
    do {
      return try store.object(of: Ticket.self, primary: number).title
    } catch let error as MagicError where error.code == .notFound {
      return nil
    }
  }

  /// Saves tickets with the numbers 1 to 8, and looks each up, so that it is in the cache.
  private func fill(_ store: MagicObjectStore) throws {
    try store.update(contentsOf: (1...8).map { Ticket(number: $0, "ticket \($0)") })
    try lookUpAll(store)
    try lookUpAll(store)
  }

  private func lookUpAll(_ store: MagicObjectStore) throws {
    for number in 1...8 { _ = try title(number, store) }
  }

  /// Returns the hits and misses of lookups of all tickets.
  private func counts(_ store: MagicObjectStore) throws -> [Int] {
    let before = store.cacheStatistics
    try lookUpAll(store)
    let after = store.cacheStatistics
    return [after.hits - before.hits, after.misses - before.misses]
  }

  @Test func aRowThatWasLookedUpIsFoundWithoutSQLite() throws {
    let statements = Recorder<String>()
    var options = MagicOptions()
    options.trace = { statements.note($0) }
    try scratch.using(options) { store in
      try fill(store)
      let before = statements.count
      for number in 1...8 {
        #expect(try store.object(of: Ticket.self, primary: number).title == "ticket \(number)")
      }
      #expect(statements.count == before)
      #expect(store.cacheStatistics.hits >= 8)
      #expect(store.cacheStatistics.evictions == 0)
    }
  }

  /// A UUID is text in the table and 16 bytes in a fetched row, a `MagicUUID` is 16 bytes in both.
  @Test func rowsAreFoundByTextsIntegersAndUUIDs() throws {
    try scratch.using { store in
      let device = Device()
      (device.id, device.name) = (UUID(), "device")
      let part = Part()
      (part.id, part.name) = (MagicUUID(), "part")
      try store.update(device)
      try store.update(part)
      try store.update(Word(""))
      try store.update(Word("word"))
      try store.update(Ticket(number: -1, "ticket"))
      for _ in 0..<3 {
        #expect(try store.object(of: Device.self, primary: device.id).name == "device")
        #expect(try store.object(of: Part.self, primary: part.id).name == "part")
        #expect(try title(-1, store) == "ticket")
        #expect(try store.object(of: Word.self, primary: "word").text == "word")
        #expect(try store.object(of: Word.self, primary: "").text.isEmpty)
      }
      // The first read of a connection finds the state of the log, and does not cache its row.
      #expect(store.cacheStatistics.hits == 9)
    }
  }

  @Test func eachLookUpReturnsANewObject() throws {
    try scratch.using { store in
      try store.update(Word("a", count: 1))
      for _ in 0..<3 { _ = try store.object(of: Word.self, primary: "a") }
      let (first, second) = (
        try store.object(of: Word.self, primary: "a"), try store.object(of: Word.self, primary: "a")
      )
      first.count = 7
      #expect(second.count == 1)
      #expect(try store.object(of: Word.self, primary: "a").count == 1)
      first.note = Data([1, 2])
      try store.update(first)
      let third = try store.object(of: Word.self, primary: "a")
      #expect(third.count == 7 && third.note == Data([1, 2]))
    }
  }

  @Test func savesKeepTheRowsThatTheyDoNotChange() throws {
    try scratch.using { store in
      try fill(store)
      #expect(try counts(store) == [8, 0])
      try store.update(Ticket(number: 3, "changed"))
      #expect(try title(3, store) == "changed")
      #expect(try counts(store) == [8, 0])
      try store.update(Ticket(number: 9, "new"))
      #expect(try counts(store) == [8, 0])
      try store.remove(store.object(of: Ticket.self, primary: 5))
      #expect(try title(5, store) == nil)
      #expect(try counts(store) == [7, 1])
    }
  }

  @Test func aCommitOfAnotherConnectionMakesAllRowsInvalid() throws {
    try scratch.using { store in
      try fill(store)
      let other = try scratch.raw()
      defer { other.close() }
      try other.execute("UPDATE Ticket SET title = 'other' WHERE number = 2")
      #expect(try title(2, store) == "other")
      _ = try counts(store)
      #expect(try counts(store) == [8, 0])
      // Between a save of this store and the next read.
      try store.update(Ticket(number: 1, "own"))
      try other.execute("UPDATE Ticket SET title = 'again' WHERE number = 2")
      #expect(try title(2, store) == "again")
      #expect(try title(1, store) == "own")
    }
  }

  @Test func commitsOfTwoConnectionsAtTheSameTimeAreSeen() throws {
    try scratch.using(MagicOptions(durability: .normal, busyTimeout: 60)) { store in
      try fill(store)
      let (committed, done) = (Mutex(0), DispatchSemaphore(value: 0))
      Thread { [scratch] in
        let other = try? scratch.raw(timeout: 60)
        for number in 1...1_000 {
          try? other?.execute("UPDATE Ticket SET title = '\(number)' WHERE number = 2")
          committed.withLock { $0 = number }
        }
        other?.close()
        done.signal()
      }.start()
      var round = 0
      while committed.withLock({ $0 }) < 1_000 {
        round += 1
        try store.update(Ticket(number: 1, "own \(round)"))
        let before = committed.withLock { $0 }
        let found = try title(2, store).flatMap { Int($0) } ?? 0
        #expect(found >= before)
        #expect(try title(1, store) == "own \(round)")
      }
      done.wait()
    }
  }

  @Test func allWaysToChangeARowAreSeen() throws {
    try scratch.using { store in
      let changes: [(String, (MagicObjectStore) throws -> Void)] = [
        ("a bulk update", { try $0.query(Ticket.self).update(set: \.$title, to: "x") }),
        ("SQL", { try $0.sql("UPDATE Ticket SET title = 'y'").run() }),
        ("a removal of all", { try $0.removeAll(of: Ticket.self) }),
        (
          "a bulk removal",
          { store in
            try fill(store)
            try store.query(Ticket.self).delete()
          }
        ),
        (
          "SQL that replaces rows",
          { store in
            try fill(store)
            try store.sql(
              "REPLACE INTO Ticket (z_index, number, title) SELECT z_index + 50, number, 'z' FROM Ticket"
            ).run()
          }
        ),
      ]
      try fill(store)
      for (name, change) in changes {
        try change(store)
        let other = try scratch.raw()
        defer { other.close() }
        for number in 1...8 {
          let expected = try other.texts("SELECT title FROM Ticket WHERE number = \(number)").first
          #expect(try title(number, store) == expected, "\(name)")
          #expect(try title(number, store) == expected, "\(name), from the cache")
        }
      }
    }
  }

  @Test func triggersOfOthersThatReplaceRowsAreSeen() throws {
    try scratch.using { store in
      try store.update(Word("a", count: 1))
      try fill(store)
      try scratch.change(
        """
        CREATE TRIGGER t AFTER UPDATE ON Word BEGIN \
        REPLACE INTO Ticket (z_index, number, title) VALUES (100 + NEW.count, 4, 'replaced'); END
        """)
      try lookUpAll(store)
      for count in 2...4 {
        try store.update(Word("a", count: count))
        #expect(try title(4, store) == "replaced")
        try store.sql("UPDATE Ticket SET title = 'before' WHERE number = 4").run()
        #expect(try title(4, store) == "before")
      }
    }
  }

  @Test func rowsOfARolledBackTransactionAreNotSeen() throws {
    struct Stop: Error {}
    try scratch.using { store in
      try fill(store)
      #expect(throws: Stop.self) {
        try store.transaction { transaction in
          try transaction.update(Ticket(number: 2, "lost"))
          #expect(try transaction.object(of: Ticket.self, primary: 2).title == "lost")
          throw Stop()
        }
      }
      #expect(try title(2, store) == "ticket 2")
      try store.transaction { transaction in
        try? transaction.transaction { nested in
          try nested.update(Ticket(number: 2, "lost"))
          throw Stop()
        }
        try transaction.update(Ticket(number: 3, "kept"))
      }
      #expect(try title(2, store) == "ticket 2")
      #expect(try title(3, store) == "kept")
    }
  }

  @Test func readsInOneBodyUseItsSnapshot() throws {
    try scratch.using { store in
      try fill(store)
      let other = try scratch.raw()
      defer { other.close() }
      try store.read { snapshot in
        #expect(try snapshot.object(of: Ticket.self, primary: 1).title == "ticket 1")
        try other.execute("UPDATE Ticket SET title = 'later'")
        #expect(try snapshot.object(of: Ticket.self, primary: 1).title == "ticket 1")
      }
      #expect(try title(1, store) == "later")
    }
  }

  @Test func anotherProcessMayChangeADatabaseThatIsSuspended() throws {
    try scratch.using { store in
      try fill(store)
      for round in 0..<3 {
        try store.suspend()
        try scratch.change("UPDATE Ticket SET title = 'round \(round)'")
        store.resume()
        // The logs of both times are empty.
        #expect(try title(1, store) == "round \(round)")
        #expect(try title(1, store) == "round \(round)")
      }
    }
  }

  @Test func theMemoryIsLimitedAndRowsThatAreUsedStay() throws {
    try scratch.using(MagicOptions(rowCacheSize: 64 << 10)) { store in
      try store.update(contentsOf: (0..<2_000).map { Word("word \($0)", count: $0) })
      _ = try store.object(of: Word.self, primary: "word 0")
      for number in 0..<2_000 {
        #expect(try store.object(of: Word.self, primary: "word \(number)").count == number)
        #expect(try store.object(of: Word.self, primary: "word 7").count == 7)
      }
      let statistics = store.cacheStatistics
      #expect(statistics.evictions > 1_000)
      #expect(statistics.hits > 1_900)
    }
  }

  @Test func aRowThatIsTooLargeIsNotCached() throws {
    try scratch.using(MagicOptions(rowCacheSize: 64 << 10)) { store in
      let word = Word("large")
      word.note = Data(repeating: 1, count: 32 << 10)
      try store.update(word)
      for _ in 0..<5 { _ = try store.object(of: Word.self, primary: "large") }
      #expect(store.cacheStatistics.hits == 0)
    }
  }

  @Test(arguments: [0, 8 << 20]) func rowsWithRelationshipsAreNotCached(size: Int) throws {
    try scratch.using(MagicOptions(rowCacheSize: size)) { store in
      let page = Page()
      page.word = Word("a")
      try store.update(page)
      for _ in 0..<5 {
        #expect(try store.object(of: Page.self, primary: page.number).word?.text == "a")
      }
      #expect(store.cacheStatistics.hits + store.cacheStatistics.misses == 0)
    }
  }

  @Test func theSizeMustNotBeNegative() throws {
    for options in [
      MagicOptions(rowCacheSize: -1), MagicOptions(heldSnapshotTime: -1),
      MagicOptions(heldSnapshotTime: .nan), MagicOptions(heldSnapshotTime: 3_601),
    ] {
      #expect(code { try scratch.open(options).close() } == .invalidOption)
    }
  }
}
