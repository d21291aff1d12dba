import Foundation
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// Thousands of random writes: the changes of each are computed from the tables before and after,
/// and compared with the changes that observers receive.
@Suite struct ReplayTests {
  static let seed: UInt64 = 20_260_711

  private static func opened(_ directory: TemporaryDirectory) async throws -> MagicData {
    let magic = try await MagicData(
      path: directory.file("replay.sqlite3").path, options: MagicOptions(durability: .normal))
    let keeper = ReplayKeeper()
    keeper.tag = ReplayTag()
    let folder = ReplayFolder()
    folder.parts = [ReplayNote()]
    keeper.folders = [folder]
    try await magic.update(keeper)
    return magic
  }

  private struct Streams {
    static let most = 100_000
    let tags: MagicChangeStream<MagicChanges<ReplayTag>>
    let notes: MagicChangeStream<MagicChanges<ReplayNote>>
    let folders: MagicChangeStream<MagicChanges<ReplayFolder>>
    let keepers: MagicChangeStream<MagicChanges<ReplayKeeper>>

    init(_ magic: MagicData) {
      tags = magic.changes(of: ReplayTag.self, bufferingAtMost: Self.most)
      notes = magic.changes(of: ReplayNote.self, bufferingAtMost: Self.most)
      folders = magic.changes(of: ReplayFolder.self, bufferingAtMost: Self.most)
      keepers = magic.changes(of: ReplayKeeper.self, bufferingAtMost: Self.most)
    }

    /// In the order of ``ReplayTables/all``.
    var texts: [[String]] {
      get async {
        await [
          MagicObservationTests.texts(tags), MagicObservationTests.texts(notes),
          MagicObservationTests.texts(folders), MagicObservationTests.texts(keepers),
        ]
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func eachOfManyWritesIsReportedExactly() async throws {
    let directory = try TemporaryDirectory()
    let magic = try await Self.opened(directory)
    let streams = Streams(magic)
    let reader = try SQLiteConnection(
      path: directory.file("replay.sqlite3").path,
      configuration: SQLiteConfiguration(access: .readOnly, busyTimeout: 5))
    let question = try reader.prepare(ReplayTables.question)
    func tables() throws -> ReplayTables {
      defer { question.reset() }
      _ = try question.step()
      return ReplayTables(parts: (0..<question.columnCount).map { question.column($0).text })
    }
    var steps = ReplaySteps(numbers: SeededRandom(Self.seed))
    var expected: [[(number: Int, text: String)]] = [[], [], [], []]
    var before = try tables()
    let store = try MagicObjectStore.open(.file(directory.file("replay.sqlite3").path))
    var number = 0
    while steps.count < Effort.choose(1_500, long: 7_500) {
      Self.write(&steps, to: store)
      let after = try tables()
      if before != after {
        for (table, text) in before.changes(to: after).enumerated() where !text.isEmpty {
          expected[table].append((number, text))
        }
      }
      before = after
      number += 1
    }
    store.close()
    await magic.close()
    for (table, texts) in await streams.texts.enumerated() {
      let wanted = expected[table].map(\.text)
      #expect(wanted.count > Effort.choose(15, long: 100))
      let place = zip(texts, wanted).enumerated().first { $1.0 != $1.1 }?.offset
      if let place {
        Issue.record(
          """
          seed \(Self.seed), write \(expected[table][place].number) of \
          \(ReplayTables.all[table].name): told \(texts[place]), was \(wanted[place])
          """)
      }
      #expect(texts.count == wanted.count, "seed \(Self.seed), \(ReplayTables.all[table].name)")
    }
  }

  private static func write(_ steps: inout ReplaySteps, to store: MagicObjectStore) {
    let count = steps.numbers.below(5)
    guard count > 1 else { return steps.run(store, 1) }
    let fails = steps.numbers.below(8) == 0
    try? store.transaction { transaction in
      steps.run(transaction.context, count)
      if fails { throw ExactFailure() }
    }
  }

  @Test(.timeLimit(.minutes(5))) func writesThatShareCommitsAreReportedExactly() async throws {
    let directory = try TemporaryDirectory()
    let magic = try await Self.opened(directory)
    let streams = Streams(magic)
    let told = await withTaskGroup(of: [[String]].self) { group in
      for task in 0..<8 {
        group.addTask { await Self.writeMany(magic, seed: Self.seed &+ UInt64(task) &* 7_919) }
      }
      return await group.reduce(into: [[String]](repeating: [], count: 4)) { all, own in
        for table in own.indices { all[table] += own[table] }
      }
    }
    await magic.close()
    for (table, texts) in await streams.texts.enumerated() {
      // The tasks do not know the order of the commits.
      let (told, wanted) = (texts.sorted(), told[table].sorted())
      #expect(told == wanted, "seed \(Self.seed), \(ReplayTables.all[table].name)")
      #expect(wanted.count > 20)
    }
  }

  /// - Returns: the changes of each write, for each table.
  private static func writeMany(_ magic: MagicData, seed: UInt64) async -> [[String]] {
    var all: [[String]] = [[], [], [], []]
    let box = StepsBox(ReplaySteps(numbers: SeededRandom(seed)))
    while box.steps.count < 313 {
      let changes = try? await magic.transaction { transaction in
        let before = try tables(in: transaction)
        let fails = box.steps.numbers.below(5) == 0
        box.steps.run(transaction.context, 2)
        if fails { throw ExactFailure() }
        return before.changes(to: try tables(in: transaction))
      }
      for (table, text) in (changes ?? []).enumerated() where !text.isEmpty {
        all[table].append(text)
      }
    }
    return all
  }

  private static func tables(in transaction: borrowing MagicTransaction) throws -> ReplayTables {
    let row = try transaction.sql("\(raw: ReplayTables.question)").rows().first
    return ReplayTables(
      parts: (row?.values ?? []).map { if case .text(let text) = $0 { text } else { "" } })
  }
}

/// Used by one task at a time.
private final class StepsBox: @unchecked Sendable {
  var steps: ReplaySteps

  init(_ steps: ReplaySteps) { self.steps = steps }
}
