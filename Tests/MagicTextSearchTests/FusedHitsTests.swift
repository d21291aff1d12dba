import EngineConformance
import MagicData
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

@testable import MagicTextSearch

private struct Passage: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var text: String
  @OptionMagicValue var embedding: MagicVector?
  @MagicValue var section: Int = 0

  init() {}
  init(_ id: Int, _ text: String, _ embedding: MagicVector?, section: Int = 0) {
    (self.id, self.text, self.embedding, self.section) = (id, text, embedding, section)
  }
}

/// Searches that combine words and vectors.
@Suite(.everyEngine, .requires([.queries, .assets])) struct FusedHitsTests {
  let scratch = Scratch()

  private func filled() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [
      Passage(1, "swift swift swift", [9, 9]),
      Passage(2, "swift and many other words", [1, 0]),
      Passage(3, "something else", [1, 1]),
      Passage(4, "far away", nil),
      Passage(5, "another length", [1], section: 1),
    ])
    return magic
  }

  @Test func ranksAreSummedReciprocally() {
    let rows = (0...3).map { ZIndex(rawValue: $0) }
    let fused = ReciprocalRanks.fuse([[rows[3], rows[1]], [rows[1], rows[2]]])
    #expect(fused.map(\.0) == [rows[1], rows[3], rows[2]])
    let sums: [Double] = [1 / 62 + 1 / 61, 1 / 61, 1 / 62]
    #expect(fused.map(\.1) == sums)
    #expect(ReciprocalRanks.fuse([[rows[2]], [rows[1]]]).map(\.0) == [rows[1], rows[2]])
    #expect(ReciprocalRanks.fuse([[], []]).isEmpty)
  }

  @Test func objectsOfBothRankingsAreFirst() async throws {
    let magic = try await filled()
    let query = magic.query(Passage.self).matching("swift")
    let hits = try await query.hits(fusedWith: .distance(\.$embedding, to: [1, 0]))
    // The second object is second by its words and first by its vector; the fourth and the fifth
    // have no rank.
    #expect(hits.map(\.object.id) == [2, 1, 3])
    let sums: [Double] = [1 / 62 + 1 / 61, 1 / 61 + 1 / 63, 1 / 62]
    #expect(hits.map(\.score) == sums)
    #expect(hits[0].highlighted(\.$text).description == "[swift] and many other words")
  }

  @Test(.requires(.files)) func aBlockingCallReturnsTheSame() throws {
    let store = try MagicObjectStore.open(.file(scratch.file()))
    try store.update(contentsOf: [Passage(1, "swift", [9]), Passage(2, "other", [1])])
    let hits = try store.query(Passage.self).matching("swift")
      .hits(fusedWith: .distance(\.$embedding, to: [1]))
    #expect(hits.map(\.object.id) == [1, 2])
    store.close()
  }

  @Test func limitAndOffsetApplyToTheCombinedRanking() async throws {
    let magic = try await filled()
    let query = magic.query(Passage.self).matching("swift")
    let distance = MagicDistance<Passage>.distance(\.$embedding, to: [1, 0])
    #expect(try await query.limit(1).hits(fusedWith: distance).map(\.object.id) == [2])
    #expect(
      try await query.limit(1).offset(1).hits(fusedWith: distance).map(\.object.id) == [1])
    #expect(try await query.offset(2).hits(fusedWith: distance).map(\.object.id) == [3])
    #expect(try await query.offset(9).hits(fusedWith: distance).isEmpty)
    #expect(try await query.limit(0).hits(fusedWith: distance).isEmpty)
    #expect(
      try await query.hits(fusedWith: distance, candidates: 1).map(\.object.id) == [1, 2])
  }

  @Test func conditionsApplyToBothRankings() async throws {
    let magic = try await filled()
    let hits = try await magic.query(Passage.self).matching("swift").where(\.$section == 1)
      .hits(fusedWith: .distance(\.$embedding, to: [1]))
    #expect(hits.map(\.object.id) == [5])
  }

  @Test func mistakesAreRefused() async throws {
    let magic = try await filled()
    let distance = MagicDistance<Passage>.distance(\.$embedding, to: [1, 0])
    let query = magic.query(Passage.self)
    let searched = query.matching("swift")
    let errors = [
      await #expect(throws: MagicError.self) { try await query.hits(fusedWith: distance) },
      await #expect(throws: MagicError.self) {
        try await searched.order(by: \.$id).hits(fusedWith: distance)
      },
      await #expect(throws: MagicError.self) {
        try await searched.hits(fusedWith: distance, candidates: 0)
      },
      await #expect(throws: MagicError.self) {
        try await searched.limit(-1).hits(fusedWith: distance)
      },
      await #expect(throws: MagicError.self) {
        try await searched.hits(fusedWith: .distance(\.$embedding, to: []))
      },
    ]
    #expect(errors.map(\.?.code) == Array(repeating: .invalidQuery, count: 5))
  }

  @Test func liveHitsFollowTheVectors() async throws {
    let magic = try await filled()
    let fused =
      magic.query(Passage.self).matching("swift")
      .hits(fusedWith: .distance(\.$embedding, to: [1, 0])) as MagicHits
    var values = fused.values().makeAsyncIterator()
    #expect(try await values.next()?.map(\.object.id) == [2, 1, 3])
    let other = try await magic.object(of: Passage.self, primary: 4)
    other.embedding = [1, 0.5]
    try await magic.update(other)
    #expect(try await values.next()?.map(\.object.id) == [2, 1, 4, 3])
  }
}
