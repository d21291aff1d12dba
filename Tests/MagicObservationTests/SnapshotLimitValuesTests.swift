import Foundation
import MagicData
import MagicStore
import Testing

/// Live results whose snapshot is ended while the body runs.
@Suite(.timeLimit(.minutes(5))) struct SnapshotLimitValuesTests {
  private let magic: MagicData
  /// The number of runs of bodies.
  private let runs = LiveBox(0)

  init() throws {
    let options = MagicOptions(durability: .normal, snapshotLimit: 1 << 20)
    magic = MagicData(store: try MagicObjectStore.open(.temporary, options: options))
  }

  /// The count of pets by a body. The snapshots of some of its runs are ended.
  private func counts(
    losing isLost: @escaping @Sendable (_ run: Int) -> Bool
  ) -> ValuedResults<Int> {
    let (runs, store) = (runs, magic.store)
    return ValuedResults(
      magic.values { snapshot in
        runs.add(1)
        _ = try snapshot.query(ValuedPet.self).count()
        if isLost(runs.value) { Self.writeBeyondTheLimit(store) }
        return try snapshot.query(ValuedPet.self).count()
      })
  }

  /// Writes more than the limit of the log on another thread, and waits for its end.
  private static func writeBeyondTheLimit(_ store: MagicObjectStore) {
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      #expect(throws: Never.self) {
        for _ in 0..<8 { try store.update(ValuedHome(String(repeating: "a", count: 256 << 10))) }
      }
      isDone.signal()
    }.start()
    isDone.wait()
  }

  @Test func theBodyRunsAgainOnANewerSnapshot() async throws {
    try await magic.update(ValuedPet("Rex"))
    // In the first run, which determines the observed region, and in a later one.
    let found = counts { [1, 2, 4].contains($0) }
    #expect(try await found.first(1) == [1])
    try await magic.update(ValuedPet("Max"))
    #expect(try await found.first(2) == [1, 2])
    #expect(runs.value >= 6)
  }

  @Test func theResultsEndIfEverySnapshotIsEnded() async throws {
    try await magic.update(ValuedPet("Rex"))
    let found = counts { _ in true }
    try await found.ending()
    #expect((found.error as? MagicError)?.code == .snapshotTooOld)
    #expect(runs.value == 3)
  }
}
