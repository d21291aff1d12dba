import EngineConformance
import Foundation
import MagicQuery
import MagicRuntime
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Lookups of rows in memory between and during migrations, compactions, suspensions and the preparation of
/// sharing.
@Suite(.timeLimit(.minutes(5))) struct RowCacheRaceTests {
  private let scratch = Scratch()

  /// Looks a ticket up until it is in memory.
  private func lookUpUntilCached(_ number: Int, _ store: MagicObjectStore) throws {
    let before = store.cacheStatistics.hits
    for _ in 0..<10 where store.cacheStatistics.hits == before {
      _ = try store.object(of: Ticket.self, primary: number)
    }
    #expect(store.cacheStatistics.hits > before)
  }

  // MARK: Between lookups

  /// The results of lookups of a ticket after another process has changed the table.
  private func outcomes(after sql: String, cacheSize: Int) throws -> [String] {
    let scratch = Scratch()
    var outcomes: [String] = []
    try scratch.using(MagicOptions(rowCacheSize: cacheSize)) { store in
      try store.update(contentsOf: (1...3).map { Ticket(number: $0, "ticket \($0)") })
      for _ in 0..<3 { #expect(try store.object(of: Ticket.self, primary: 2).title == "ticket 2") }
      try scratch.change(sql)
      let lookups: [() throws -> String?] = [
        { try store.object(of: Ticket.self, primary: 2).title },
        { "\(try store.has(of: Ticket.self, primary: 2))" },
        { try store.query(Ticket.self).where(\.$number == 2).first()?.title },
      ]
      for _ in 0..<2 {
        for lookUp in lookups {
          let error = code { outcomes.append(try lookUp() ?? "nil") }
          if let error { outcomes.append("\(error)") }
        }
      }
    }
    return outcomes
  }

  @Test(arguments: [
    "ALTER TABLE Ticket RENAME COLUMN title TO headline",
    "ALTER TABLE Ticket RENAME TO Former",
    "ALTER TABLE Ticket ADD COLUMN later TEXT; UPDATE Ticket SET title = 'later'",
    "DELETE FROM magic_catalogue WHERE type_name = 'Ticket'",
  ])
  func aTableThatAnotherProcessChangesHasTheSameResultsAsWithoutTheCache(_ sql: String) throws {
    let without = try outcomes(after: sql, cacheSize: 0)
    #expect(without.count == 6)
    #expect(try outcomes(after: sql, cacheSize: 8 << 20) == without)
  }

  @Test func aMigrationOfAnotherProcessIsSeen() throws {
    try scratch.using { store in
      try store.update(contentsOf: (1...8).map { Ticket(number: $0, "ticket \($0)") })
      try lookUpUntilCached(2, store)
      try scratch.change(
        """
        BEGIN;
        ALTER TABLE Ticket ADD COLUMN later TEXT NOT NULL DEFAULT 'x';
        UPDATE Ticket SET title = title || later;
        COMMIT;
        """)
      for _ in 0..<3 {
        #expect(try store.object(of: Ticket.self, primary: 2).title == "ticket 2x")
      }
      try lookUpUntilCached(2, store)
      try store.update(Ticket(number: 3, "own"))
      #expect(try store.object(of: Ticket.self, primary: 2).title == "ticket 2x")
      #expect(try store.object(of: Ticket.self, primary: 3).title == "own")
      // The table is created again, with other row IDs.
      try scratch.change(
        """
        BEGIN;
        CREATE TABLE copy AS SELECT * FROM Ticket;
        DELETE FROM Ticket;
        INSERT INTO Ticket (z_index, number, title)
        SELECT z_index + 100, number, 'moved' FROM copy;
        DROP TABLE copy;
        COMMIT;
        """)
      let other = try scratch.raw()
      defer { other.close() }
      for _ in 0..<3 {
        let ticket = try store.object(of: Ticket.self, primary: 2)
        #expect(ticket.title == "moved")
        #expect(
          try other.integer("SELECT z_index FROM Ticket WHERE number = 2")
            == ticket.zIndex?.rawValue
        )
      }
    }
  }

  @Test func aCompactionIsSeen() throws {
    try scratch.using { store in
      try store.update(contentsOf: (1...2_000).map { Ticket(number: $0, "ticket \($0)") })
      for round in 0..<3 {
        try lookUpUntilCached(2_000, store)
        try store.query(Ticket.self).where(\.$number <= 600 * (round + 1)).delete()
        try store.compact()
        #expect(try store.object(of: Ticket.self, primary: 2_000).title == "ticket 2000")
        #expect(try !store.has(of: Ticket.self, primary: 600))
        try lookUpUntilCached(2_000, store)
        try scratch.change("VACUUM; UPDATE Ticket SET title = 'ticket 2000' WHERE number = 2000")
        #expect(try store.object(of: Ticket.self, primary: 2_000).title == "ticket 2000")
      }
    }
  }

  // MARK: During lookups

  /// Runs a body beside threads that look the first ticket up. Its title is a number, and each lookup must
  /// find at least the number that was committed before it.
  private func lookingUp(
    _ store: MagicObjectStore, _ body: (_ commit: (Int) -> Void) throws -> Void
  ) throws {
    try store.update(contentsOf: (1...3).map { Ticket(number: $0, "0") })
    try lookUpUntilCached(1, store)
    let (committed, isDone) = (Mutex(0), Mutex(false))
    let (found, ended) = (Mutex(0), DispatchSemaphore(value: 0))
    let threads = 3
    for thread in 0..<threads {
      Thread {
        while !isDone.withLock({ $0 }) {
          let before = committed.withLock { $0 }
          do {
            let ticket =
              thread == 0
              ? try store.query(Ticket.self).where(\.$number == 1).first()
              : try store.object(of: Ticket.self, primary: 1)
            let number = ticket.flatMap { Int($0.title) } ?? -1
            #expect(number >= before)
            found.withLock { $0 += 1 }
          } catch {
            #expect([.suspended, .busy].contains((error as? MagicError)?.code), "\(error)")
          }
        }
        ended.signal()
      }.start()
    }
    defer {
      isDone.withLock { $0 = true }
      for _ in 0..<threads { ended.wait() }
      #expect(found.withLock { $0 } > 0)
    }
    try body { number in committed.withLock { $0 = number } }
  }

  @Test func lookupsAfterAResumptionSeeWhatWasCommittedMeanwhile() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try lookingUp(store) { commit in
        for round in 1...40 {
          try store.suspend()
          try scratch.change("UPDATE Ticket SET title = '\(round)'")
          commit(round)
          store.resume()
          if round % 2 == 0 { Thread.sleep(forTimeInterval: 0.002) }
        }
      }
    }
  }

  @Test func lookupsDuringAPreparationOfSharingSeeCommits() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try lookingUp(store) { commit in
        for round in 1...20 {
          try scratch.change("UPDATE Ticket SET title = '\(2 * round - 1)'")
          commit(2 * round - 1)
          try store.prepareForSharing()
          let ticket = try store.object(of: Ticket.self, primary: 1)
          let other = try scratch.raw()
          defer { other.close() }
          #expect(
            try other.integer("SELECT z_index FROM Ticket WHERE number = 1")
              == ticket.zIndex?.rawValue)
          try store.update(Ticket(number: 1, "\(2 * round)"))
          commit(2 * round)
        }
      }
    }
  }

  @Test func lookupsDuringACompactionSeeCommits() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try store.update(contentsOf: (10...2_000).map { Ticket(number: $0, "ticket \($0)") })
      try lookingUp(store) { commit in
        for round in 1...10 {
          try store.query(Ticket.self).where(\.$number > 2_000 - 100 * round).delete()
          try store.compact()
          try store.update(Ticket(number: 1, "\(round)"))
          commit(round)
        }
      }
    }
  }
}
