import EngineConformance
import MagicQuery
import Testing

@Suite(.everyEngine) struct QueryCancellationTests {
  private func count(_ test: TestStore, to rank: Int) throws -> Int {
    try test.store.query(Note.self).where { $0.$rank < rank && !$0.$text.contains("z") }.count()
  }

  @Test func aStatementEndsWhileItRunsInACancelledTask() async throws {
    let test = try TestStore()
    try fill(test)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(try count(test, to: 3) == 3)
      return try count(test, to: .max)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try count(test, to: .max) == 20_000)
  }

  private func fill(_ test: TestStore) throws {
    try test.store.update(contentsOf: (0..<20_000).map { Note("n", rank: $0) })
  }
}
