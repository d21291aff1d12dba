import EngineConformance
import MagicQuery
import MagicSQLite
import MagicSchema
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Random calls of a store and of another connection. After each, lookups by primary are compared with
/// what the other connection reads.
@Suite(.timeLimit(.minutes(5))) struct RowCacheRandomTests {
  private let scratch = Scratch()

  private struct Stop: Error {}

  private enum Lookup: CaseIterable {
    case fetching, asking, querying
  }

  /// Expects that a lookup has the result that SQL has.
  private func compare(
    _ lookup: Lookup, _ number: Int, _ store: MagicObjectStore, _ other: SQLiteConnection,
    _ step: Int
  ) throws {
    let expected = try other.texts("SELECT title FROM Ticket WHERE number = \(number)").first
    switch lookup {
    case .fetching:
      let found = code {
        let ticket = try store.object(of: Ticket.self, primary: number)
        #expect(ticket.title == expected, "step \(step)")
      }
      #expect(found == (expected == nil ? .notFound : nil), "step \(step)")
    case .asking:
      #expect(try store.has(of: Ticket.self, primary: number) == (expected != nil), "step \(step)")
    case .querying:
      let found = try store.query(Ticket.self).where(\.$number == number).first()
      #expect(found?.title == expected, "step \(step)")
    }
  }

  private func change(
    _ number: Int, _ store: MagicObjectStore, _ other: SQLiteConnection, _ step: Int,
    _ random: inout SeededRandom
  ) throws {
    switch random.below(20) {
    case 0...3: try store.update(Ticket(number: number, "own \(step)"))
    case 4: try store.query(Ticket.self).where(\.$number == number).delete()
    case 5: try other.execute("UPDATE Ticket SET title = 'o \(step)' WHERE number = \(number)")
    case 6: try other.execute("DELETE FROM Ticket WHERE number = \(number)")
    case 7:
      try store.query(Ticket.self).where(\.$number > number)
        .update(set: \.$title, to: "bulk \(step)")
    case 8: try store.sql("UPDATE Ticket SET title = 'sql' WHERE number = \(number)").run()
    case 9:
      try? store.transaction { transaction in
        try transaction.update(Ticket(number: number, "lost \(step)"))
        try? transaction.transaction { nested in
          try nested.removeAll(of: Ticket.self)
          throw Stop()
        }
        if random.below(2) == 0 { throw Stop() }
      }
    case 10: other.checkpoint([.passive, .restart, .truncate][random.below(3)])
    case 11 where step % 10 == 0: try store.removeAll(of: Ticket.self)
    case 12 where step % 10 == 0:
      try store.suspend()
      store.resume()
    case 13 where step % 10 == 0: try store.compact()
    default: break
    }
  }

  @Test(arguments: [0, 0.01, 3_600]) func randomChangesAreSeen(heldSnapshotTime: Double) throws {
    let options = MagicOptions(
      durability: .normal, heldSnapshotTime: heldSnapshotTime, rowCacheSize: 16 << 10)
    try scratch.using(options) { store in
      try store.update(contentsOf: (1...8).map { Ticket(number: $0, "ticket \($0)") })
      let other = try scratch.raw()
      defer { other.close() }
      var random = SeededRandom(11)
      for step in 0..<1_500 {
        try change(random.below(40) + 1, store, other, step, &random)
        for _ in 0..<4 {
          let lookup = Lookup.allCases[random.below(3)]
          try compare(lookup, random.below(40) + 1, store, other, step)
        }
      }
      #expect(store.cacheStatistics.hits > 500)
    }
  }
}
