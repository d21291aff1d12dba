import Foundation
import MagicData
import MagicRuntime
import MagicTestSupport
import Testing

@testable import MagicStore

/// Writers and observers of all kinds, which start and end.
@Suite(.timeLimit(.minutes(5))) struct ObservationStormTests {
  private static let seed = Effort.seed("STORM")

  @Test func everyRemainingObserverReceivesAConsistentFinalState() async throws {
    let database = try await OutDatabase()
    let magic = database.magic
    let end = ContinuousClock.now + .seconds(2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let mirror = RowMirror(try await Self.zIndexes(magic))
      let whole = RowMirror(try await Self.zIndexes(magic))
      let newest = NewestCount()
      let stream = magic.changes(of: OutNote.self, bufferingAtMost: 4)
      let all = magic.changes(bufferingAtMost: 2)
      async let followed: Void = Self.follow(stream, mirror)
      async let followedAll: Void = Self.follow(all, whole)
      async let results: Void = Self.follow(magic.query(OutNote.self).values(), newest)
      for writer in 0..<4 { group.addTask { try await Self.write(database, writer, until: end) } }
      for kind in 0..<4 { group.addTask { try await Self.observe(database, kind, until: end) } }
      group.addTask { try await Self.open(database, until: end) }
      try await group.waitForAll()
      let rows = try await Self.zIndexes(magic)
      #expect(await eventually { newest.count == rows.count })
      await magic.close()
      _ = try await (followed, followedAll, results)
      #expect(mirror.rows == rows && mirror.isExact, "MAGIC_STORM_SEED=\(Self.seed)")
      #expect(whole.rows == rows && whole.isExact, "MAGIC_STORM_SEED=\(Self.seed)")
    }
    #expect(magic.store.observerCount == 0)
  }

  /// The number of objects in the newest result.
  private final class NewestCount: Locked, @unchecked Sendable {
    private var newest = -1

    override init() { super.init() }

    var count: Int {
      get { withLock { newest } }
      set { withLock { newest = newValue } }
    }
  }

  /// The row IDs that exist according to the reported changes.
  private final class RowMirror: Locked, @unchecked Sendable {
    private var known: Set<ZIndex>
    private var fits = true

    init(_ rows: Set<ZIndex>) {
      known = rows
      super.init()
    }

    var rows: Set<ZIndex> { withLock { known } }
    var isExact: Bool { withLock { fits } }

    func take(_ changes: MagicChanges<OutNote>) {
      withLock {
        fits =
          fits && changes.isComplete && changes.deleted.isSubset(of: known)
          && changes.inserted.isDisjoint(with: known)
          && Set(changes.updated.keys).isSubset(of: known)
        known.subtract(changes.deleted)
        known.formUnion(changes.inserted)
      }
    }
  }

  private static func follow(
    _ stream: MagicChangeStream<MagicChanges<OutNote>>, _ mirror: RowMirror
  ) async {
    for await changes in stream { mirror.take(changes) }
  }

  private static func follow(
    _ stream: MagicChangeStream<MagicDatabaseChanges>, _ mirror: RowMirror
  ) async {
    for await changes in stream {
      if let own = try? changes[OutNote.self] { mirror.take(own) }
    }
  }

  private static func follow(
    _ results: MagicValues<[OutNote]>, _ newest: NewestCount
  ) async throws {
    for try await notes in results { newest.count = notes.count }
  }

  private static func zIndexes(_ magic: MagicData) async throws -> Set<ZIndex> {
    Set(try await magic.sql("SELECT z_index FROM OutNote").rows(ZIndex.self))
  }

  private struct Refusal: Error {}

  private static func write(
    _ database: OutDatabase, _ writer: Int, until end: ContinuousClock.Instant
  ) async throws {
    let magic = database.magic
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      let note = OutNote("note \(writer)", rank: round)
      try await magic.update(note)
      note.rank += 1
      try await magic.update(note, ifMissing: .insert)
      if round.isMultiple(of: 3) { try await magic.remove(note) }
      await #expect(throws: Refusal.self) {
        try await magic.transaction { transaction in
          _ = try transaction.update(OutNote("refused"))
          throw Refusal()
        }
      }
      if round.isMultiple(of: 10) {
        try await magic.sql("DELETE FROM OutNote WHERE rank % 2 = \(writer % 2)").run()
      }
    }
  }

  private static func observe(
    _ database: OutDatabase, _ kind: Int, until end: ContinuousClock.Instant
  ) async throws {
    let magic = database.magic
    var random = SeededRandom(seed &+ UInt64(kind))
    while ContinuousClock.now < end {
      let task = Task {
        switch kind {
        case 0:
          for await changes in magic.changes(of: OutNote.self, columns: \.$rank) {
            if changes.transactionCount > 1_000 { return }
          }
        case 1:
          for await changes in magic.changes(of: OutNote.self, primary: 1) {
            if changes.transactionCount > 1_000 { return }
          }
        case 2:
          for await changes in magic.changes() where changes.transactionCount > 1_000 { return }
        default:
          let query = magic.query(OutNote.self).where(\.$rank > 2).limit(10)
          for try await notes in query.values() where notes.count > 1_000 { return }
        }
      }
      try await Task.sleep(for: .milliseconds(.random(in: 0..<20, using: &random)))
      task.cancel()
      try? await task.value
    }
  }

  private static func open(
    _ database: OutDatabase, until end: ContinuousClock.Instant
  ) async throws {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      let other = try await database.open(readOnly: round.isMultiple(of: 2))
      let stream = other.changes(of: OutNote.self)
      let task = Task { for await _ in stream {} }
      if !round.isMultiple(of: 2) { try await other.update(OutNote("other", rank: round)) }
      if round.isMultiple(of: 3) { task.cancel() }
      await other.close()
      await task.value
    }
  }
}
