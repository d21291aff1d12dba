import EngineConformance
import Foundation
import MagicData
import MagicEngine
import MagicTestSupport
import Testing

@testable import MagicStore

@Suite(.everyEngine, .timeLimit(.minutes(5))) struct BackpressureTests {
  @Test(.requires(.rawSQL)) func waitingElementsAreMergedToTheirNetChange() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (kept, gone, back, new) = (OutNote("a"), OutNote("b"), OutNote("c"), OutNote("d"))
    try await magic.update(contentsOf: [kept, gone, back])
    var changes = magic.changes(of: OutNote.self, bufferingAtMost: 1).makeAsyncIterator()
    kept.rank = 1
    try await magic.update(kept)
    kept.text = "aa"
    try await magic.update(kept)
    let brief = try await magic.update(OutNote("brief"))
    try await magic.sql("DELETE FROM OutNote WHERE z_index = \(brief)").run()
    let newIndex = try await magic.update(new)
    new.rank = 2
    try await magic.update(new)
    gone.rank = 3
    try await magic.update(gone)
    let goneIndex = try #require(gone.zIndex)
    try await magic.remove(gone)
    let backIndex = try #require(back.zIndex)
    try await magic.sql("DELETE FROM OutNote WHERE z_index = \(backIndex)").run()
    try await magic.sql(
      "INSERT INTO OutNote (z_index, id, text, rank) VALUES (\(backIndex), 99, 'c', 0)"
    ).run()

    let element = try #require(await changes.next())
    #expect(element.inserted == [newIndex])
    #expect(element.deleted == [goneIndex])
    let keptIndex = try #require(kept.zIndex)
    #expect(Set(element.updated.keys) == [keptIndex, backIndex])
    #expect(element.updated[keptIndex]?.names == ["text", "rank"])
    #expect(element.updated[backIndex]?.names == ["id", "text", "rank"])
    #expect(element.isComplete && element.transactionCount == 10)
    #expect(element.hasPrimaryChanged(99))
  }

  @Test func changesThatCancelEachOtherLeaveNoElement() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let stream = magic.changes(of: OutNote.self, bufferingAtMost: 1)
    for _ in 0..<5 {
      let note = OutNote("brief")
      try await magic.update(note)
      try await magic.remove(note)
    }
    let last = try await magic.update(OutNote("last"))
    await magic.close()
    var inserted: [Set<ZIndex>] = []
    for await element in stream { inserted.append(element.inserted) }
    #expect(inserted == [[last]])
  }

  @Test func elementsAfterMergedOnesAreSeparate() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let stream = magic.changes(of: OutNote.self, bufferingAtMost: 3)
    for rank in 0..<6 { try await magic.update(OutNote("note", rank: rank)) }
    await magic.close()
    var counts: [Int] = []
    for await element in stream {
      #expect(element.inserted.count == element.transactionCount)
      counts.append(element.transactionCount)
    }
    #expect(counts == [4, 1, 1])
  }

  /// Each row is visited a few times and retained at most twice, also if many elements wait.
  @Test func aConsumerThatNeverReadsRetainsEachRowOnce() async throws {
    let names = TableNames(table: "t", columns: ["a"], collections: [])
    func changes(_ kind: RowChange.Kind, _ row: Int64) -> CommittedChanges {
      var changes = CommittedChanges()
      var columns = ColumnSet()
      if kind == .updated { columns.insert(0) }
      changes.tables["t"] = TableChanges(
        names: names, rows: [RowChange(kind, row, columns: columns)], hasRecordedPrimaries: true)
      return changes
    }
    let observer = ChangeObserver(ObservationFilter(types: ["t"]), capacity: 64) { $0 }
    for row in 0..<50_000 { observer.offer(changes(.inserted, Int64(row))) }
    for row in 0..<50_000 { observer.offer(changes(.updated, Int64(row % 100))) }
    #expect(observer.pendingRowCount < 120_000)
    let element = try #require(observer.takeAll())
    #expect(element.transactionCount == 100_000)
    #expect(element.tables["t"]?.rows.count == 50_000)
    #expect(
      element.tables["t"]?.hasInsertedOrDeletedRows == true
        && element.tables["t"]?.columns.isEmpty == true)
    #expect(observer.takeAll() == nil)
  }

  @Test(.requires(.rawSQL)) func mergedElementsEqualTheElementOfOneTransaction() async throws {
    let directory = try TemporaryDirectory()
    let seed = Effort.seed("JOINED")
    var random = SeededRandom(seed)
    let magic = try await MagicData.onTestedEngine(
      path: directory.file("joined.sqlite3").path, options: .init(durability: .normal))
    let first = (0..<20).map { OutNote("note", rank: $0) }
    try await magic.update(contentsOf: first)
    func rows() async throws -> [ZIndex: [String]] {
      var rows: [ZIndex: [String]] = [:]
      for note in try await magic.object(of: OutNote.self) {
        if let zIndex = note.zIndex { rows[zIndex] = ["\(note.id)", note.text, "\(note.rank)"] }
      }
      return rows
    }
    for capacity in 1...4 {
      var changes = magic.changes(of: OutNote.self, bufferingAtMost: capacity).makeAsyncIterator()
      let before = try await rows()
      for _ in 0..<40 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try await magic.update(OutNote("new"))
        case 1:
          try await magic.sql(
            """
            DELETE FROM OutNote WHERE id IN
              (SELECT id FROM OutNote ORDER BY id * \(1 + random.below(1_008)) % 1009 LIMIT 2)
            """
          ).run()
        default:
          try await magic.sql(
            """
            UPDATE OutNote SET rank = id * \(1 + random.below(1_008)) % 1009
            WHERE (rank + id * \(random.below(3))) % 3 = \(random.below(3))
            """
          ).run()
        }
      }
      let marker = try await magic.update(OutNote("end"))
      var known = before
      while let element = await changes.next() {
        let now = try await rows()
        for zIndex in element.deleted {
          #expect(known.removeValue(forKey: zIndex) != nil, "MAGIC_JOINED_SEED=\(seed)")
        }
        for zIndex in element.inserted {
          #expect(known.updateValue([], forKey: zIndex) == nil, "MAGIC_JOINED_SEED=\(seed)")
        }
        for zIndex in element.updated.keys {
          #expect(known.updateValue([], forKey: zIndex) != nil, "MAGIC_JOINED_SEED=\(seed)")
        }
        guard element.inserted.contains(marker) else { continue }
        #expect(Set(known.keys) == Set(now.keys), "MAGIC_JOINED_SEED=\(seed)")
        for (zIndex, values) in known where !values.isEmpty {
          #expect(now[zIndex] == values, "MAGIC_JOINED_SEED=\(seed)")
        }
        break
      }
    }
    await magic.close()
  }

  @Test func twoIteratorsShareTheElements() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let stream = magic.changes(of: OutNote.self)
    var (one, other) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
    let first = try await magic.update(OutNote("first"))
    let second = try await magic.update(OutNote("second"))
    #expect(await one.next()?.inserted == [first])
    #expect(await other.next()?.inserted == [second])
    await magic.close()
    #expect(await one.next() == nil)
    #expect(await other.next() == nil)
  }

  @Test func aCancelledTaskEndsTheStream() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let stream = magic.changes(of: OutNote.self)
    #expect(magic.store.observerCount == 1)
    let waiting = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    try await magic.update(OutNote("first"))
    waiting.cancel()
    #expect(await waiting.value <= 1)
    #expect(magic.store.observerCount == 0)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test(.requires(.queries)) func aReleasedStreamNoLongerObserves() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    do {
      let streams = (0..<3).map { _ in magic.changes(of: OutNote.self) }
      #expect(magic.store.observerCount == streams.count)
    }
    #expect(magic.store.observerCount == 0)
    do {
      var values = magic.query(OutNote.self).values().makeAsyncIterator()
      #expect(try await values.next()?.isEmpty == true)
      #expect(magic.store.observerCount == 1)
    }
    #expect(magic.store.observerCount == 0)
  }

  @Test func elementsAreInTheOrderOfCommits() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let note = OutNote("counted")
    try await magic.update(note)
    let stream = magic.changes(of: OutNote.self, bufferingAtMost: 1_000)
    let order = try await withThrowingTaskGroup(of: Void.self, returning: [ZIndex].self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<50 { try await magic.update(OutNote("note")) } }
      }
      try await group.waitForAll()
      return try await magic.object(of: OutNote.self).compactMap(\.zIndex)
    }
    await magic.close()
    var seen: [ZIndex] = []
    for await element in stream { seen += element.inserted.sorted { $0.rawValue < $1.rawValue } }
    #expect(seen == Array(order.dropFirst()))
  }

  @Test func anElementIsAvailableWhenTheCallReturns() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let observer = ChangeObserver(ObservationFilter(types: ["outnote"]), capacity: 1) { $0 }
          magic.store.observe(observer)
          for _ in 0..<50 {
            let zIndex = try await magic.update(OutNote("note"))
            let table = observer.takeAll()?.tables["outnote"]
            #expect(table?.row(zIndex.rawValue)?.kind == .inserted)
          }
          observer.cancel()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aRunningWriteIsNotMissed() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(OutNote("first"))
    let (started, mayContinue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writing = Task.detached {
      try await magic.transaction { transaction in
        _ = try transaction.update(OutNote("second"))
        started.signal()
        mayContinue.wait()
      }
    }
    await Self.wait(for: started)
    var changes = magic.changes(of: OutNote.self).makeAsyncIterator()
    mayContinue.signal()
    try await writing.value
    let element = try #require(await changes.next())
    #expect(!element.isComplete && element.origin == .process && element.hasChanged(\.$text))
    // PostgreSQL says that anything may have changed until it has a replication slot, which waits for all
    // transactions of the server. Such an element can include the changes of a later write, so rows are
    // written until an element has one alone.
    var isAlone = false
    let end = ContinuousClock.now + .seconds(300)
    while !isAlone, ContinuousClock.now < end {
      let row = try await magic.update(OutNote("repeated"))
      var next = try #require(await changes.next())
      while next.isComplete, !next.inserted.contains(row) {
        next = try #require(await changes.next())
      }
      isAlone = next.isComplete && next.inserted == [row]
    }
    #expect(isAlone)
  }

  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      Thread {
        semaphore.wait()
        continuation.resume()
      }.start()
    }
  }
}
