import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The snapshots that the readers of a store hold between reads.
@Suite(.timeLimit(.minutes(5))) struct HeldSnapshotTests {
  let scratch = Scratch()
  /// A row in memory is read without a snapshot.
  private let withoutCache = MagicOptions(rowCacheSize: 0)

  private func title(_ number: Int, _ store: MagicObjectStore) throws -> String {
    try store.object(of: Ticket.self, primary: number).title
  }

  /// Reads until a reader holds a snapshot that prevents a checkpoint of another connection.
  private func readUntilHeld(_ store: MagicObjectStore, _ other: SQLiteConnection) throws {
    for round in 0..<10_000 {
      let text = "round \(round)"
      try other.execute("UPDATE Ticket SET title = '\(text)' WHERE number = 1")
      for _ in 0..<20 { #expect(try title(1, store) == text) }
      if !other.checkpoint(.truncate) { return }
    }
    Issue.record("No reader has held a snapshot.")
  }

  @Test func idleReadersEndThem() throws {
    try scratch.using(withoutCache) { store in
      try store.update(Ticket(number: 1, "first"))
      let other = try scratch.raw()
      defer { other.close() }
      try readUntilHeld(store, other)
      #expect(other.checkpoint(.truncate, timeout: 60))
    }
  }

  @Test func readersInUseDoNotPreventCheckpoints() throws {
    try scratch.using(MagicOptions(readers: 1, rowCacheSize: 0)) { store in
      try store.update(Ticket(number: 1, "first"))
      let other = try scratch.raw()
      defer { other.close() }
      try readUntilHeld(store, other)
      var attempts = 0
      while !other.checkpoint(.truncate), attempts < 1_000 {
        attempts += 1
        #expect(try !title(1, store).isEmpty)
      }
      // The first attempt copies all frames, which the next read detects.
      #expect(attempts <= 2)
    }
  }

  @Test func aSuspensionAndAClosingEndThem() throws {
    let other: SQLiteConnection
    do {
      let store = try scratch.open(withoutCache)
      try store.update(Ticket(number: 1, "first"))
      other = try scratch.raw()
      try readUntilHeld(store, other)
      try store.suspend()
      #expect(other.checkpoint(.truncate))
      store.resume()
      try readUntilHeld(store, other)
      store.close()
    }
    #expect(other.checkpoint(.truncate))
    other.close()
  }

  @Test func readersThatReadAllTheTimeDoNotLetTheLogGrow() throws {
    try scratch.using(MagicOptions(readers: 2, rowCacheSize: 0)) { store in
      try store.update(Ticket(number: 1, "first"))
      let other = try scratch.raw()
      defer { other.close() }
      try other.execute("PRAGMA wal_autocheckpoint = 1000; PRAGMA synchronous = OFF")
      let (isDone, ended) = (Box(0), DispatchSemaphore(value: 0))
      for _ in 0..<2 {
        Thread {
          while isDone.value == 0 { _ = try? self.title(1, store) }
          ended.signal()
        }.start()
      }
      for number in 0..<40_000 { try other.execute("UPDATE Ticket SET title = 'title \(number)'") }
      isDone.value = 1
      for _ in 0..<2 { ended.wait() }
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file() + "-wal")
      let size = try #require(attributes[.size] as? Int)
      // Without restarts the log would have at least 40,000 pages. A reader that gets no processor
      // time can delay a restart.
      #expect(size < 30_000 * 4_120)
    }
  }

  @Test func aReadSeesTheLastSaveOfAnyConnection() throws {
    try scratch.using { store in
      try store.update(Ticket(number: 1, "first"))
      let other = try scratch.raw()
      defer { other.close() }
      var random = SeededRandom(7)
      var expected = "first"
      for number in 0..<3_000 {
        switch random.below(16) {
        case 0:
          expected = "own \(number)"
          try store.update(Ticket(number: 1, expected))
        case 1:
          expected = "other \(number)"
          try other.execute("UPDATE Ticket SET title = '\(expected)'")
        case 2: other.checkpoint([.passive, .restart, .truncate][random.below(3)])
        case 3: #expect(throws: CancellationError.self) { try failingRead(store) }
        case 4: #expect(try store.read { try $0.object(of: Ticket.self).count } == 1)
        default: #expect(try title(1, store) == expected)
        }
      }
    }
  }

  private func failingRead(_ store: MagicObjectStore) throws {
    try store.read { snapshot in
      _ = try snapshot.object(of: Ticket.self) as [Ticket]
      throw CancellationError()
    }
  }

  @Test func concurrentReadsSeeWhatWasSavedBeforeThem() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try store.update(Ticket(number: 1, "0"))
      let (saved, done) = (Box(0), DispatchSemaphore(value: 0))
      for _ in 0..<3 {
        Thread {
          while saved.value < 400 {
            let before = saved.value
            let found = (try? self.title(1, store)).flatMap { Int($0) }
            #expect(found ?? -1 >= before)
          }
          done.signal()
        }.start()
      }
      for number in 1...400 {
        try store.update(Ticket(number: 1, "\(number)"))
        saved.value = number
        if number % 50 == 0 { Thread.sleep(forTimeInterval: 0.03) }
      }
      for _ in 0..<3 { done.wait() }
    }
  }

  private final class Box: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Int

    init(_ value: Int) { stored = value }

    var value: Int {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }
}
