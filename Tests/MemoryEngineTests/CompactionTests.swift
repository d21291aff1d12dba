import MagicEngine
import Testing

@testable import MemoryEngine

@Suite struct CompactionTests {
  @Test func anEngineWithoutFilesHasNothingToCompact() throws {
    let database = MemoryDatabase()
    let result = try database.compact(CancellationToken()) { #expect($0.fraction == 1) }
    #expect(result == MagicCompaction(bytesBefore: 0, bytesAfter: 0))
  }
}
