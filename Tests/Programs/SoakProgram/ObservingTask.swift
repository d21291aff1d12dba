import Foundation
import MagicData
import MagicTestSupport

/// Observes for a while, and compares the received events with the acknowledged changes.
struct ObservingTask: Sendable {
  let magic: MagicData
  let ledger: Ledger
  let number: Int

  /// The time within which acknowledged changes must be received.
  private static let deadline = Duration.seconds(30)

  func run() async {
    var random = SeededRandom(UInt64(number))
    do {
      while !ledger.isDone {
        switch Int.random(in: 0...3, using: &random) {
        case 0:
          try await watchChanges(
            bufferingAtMost: [1, 64].randomElement(using: &random) ?? 1,
            after: .random(in: 20...400, using: &random))
        case 1:
          try await watchValues(
            random.below(Settings.tasks), after: .random(in: 5...100, using: &random))
        case 2:
          try await watchLive(
            random.below(Settings.tasks), after: .random(in: 5...50, using: &random))
        default: try await cancelObservers(Int.random(in: 0...50, using: &random))
        }
      }
    } catch {
      ledger.note("observer \(number): \(error)")
    }
  }

  private func sleep(_ milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }

  /// Checks that a stream reports every counter that was incremented, and counts every commit.
  private func watchChanges(
    bufferingAtMost limit: Int, after milliseconds: Int
  ) async throws {
    let stream = magic.changes(of: Beat.self, bufferingAtMost: limit)
    // Increments that have already begun may have been committed before the stream existed.
    let before = ledger.begun
    await sleep(milliseconds)
    let raised = ledger.acknowledged.filter { $0.value > before[$0.key] ?? 0 }
    let commits = raised.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    guard commits > 0 else { return }
    let rowIDs = try await rowIDs()
    let wanted = Set(raised.keys.compactMap { rowIDs[$0] })
    try await withDeadline("changes: not all of \(commits) increments were received") {
      var (received, seen) = (0, Set<ZIndex>())
      for await changes in stream {
        received += changes.transactionCount
        seen.formUnion(changes.updated.keys)
        seen.formUnion(changes.inserted)
        if !changes.isComplete { seen.formUnion(wanted) }
        if received >= commits && wanted.isSubset(of: seen) { return }
      }
      throw Finding("changes: the stream ended")
    }
    ledger.count("watch changes")
    ledger.didCheck("changes received", commits)
  }

  private func rowIDs() async throws -> [Int: ZIndex] {
    let beats = try await magic.object(of: Beat.self)
    return Dictionary(
      uniqueKeysWithValues: beats.compactMap { beat in
        beat.zIndex.map { (beat.number, $0) }
      })
  }

  /// Checks that each result is later than the one before, and that acknowledged changes appear.
  private func watchValues(_ task: Int, after milliseconds: Int) async throws {
    let values = magic.query(Beat.self).where(\.$number == task).values()
    await sleep(milliseconds)
    let wanted = ledger.acknowledged[task] ?? 0
    try await withDeadline("values: \(wanted) of counter \(task) was not received") {
      var last = -1
      for try await beats in values {
        let count = beats.first?.count ?? 0
        try ledger.check("values", count > last, "\(count) after \(last)")
        last = count
        if count >= wanted { return }
      }
      throw Finding("values: the sequence ended")
    }
    ledger.count("watch values")
  }

  /// Checks that a live query shows acknowledged changes.
  @MainActor private func watchLive(_ task: Int, after milliseconds: Int) async throws {
    let live = MagicLiveQuery(magic.query(Beat.self).where(\.$number == task))
    await sleep(milliseconds)
    let wanted = ledger.acknowledged[task] ?? 0
    try await withDeadline("live: \(wanted) of counter \(task) was not shown") { @MainActor in
      while live.results.first?.count ?? 0 < wanted {
        if let error = live.error { throw error }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    ledger.didCheck("live")
    ledger.count("watch live")
  }

  /// Cancels or releases observers, also while a task waits for them.
  private func cancelObservers(_ milliseconds: Int) async throws {
    let everything = magic.changes()
    let ranks = magic.changes(of: Crate.self, columns: \.$rank)
    let waiting = Task {
      var count = 0
      for await _ in ranks { count += 1 }
      return count
    }
    var iterator = everything.makeAsyncIterator()
    _ = await Task { await sleep(milliseconds) }.value
    if !ledger.isDone, number % 2 == 0 { _ = await iterator.next() }
    waiting.cancel()
    _ = await waiting.value
    ledger.count("cancel observers")
  }

  /// Runs the body, and throws if it takes longer than the deadline.
  private func withDeadline(
    _ text: String, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: Self.deadline)
        throw Finding(text)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
