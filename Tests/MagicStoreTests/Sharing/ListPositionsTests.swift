import MagicTestSupport
import SQLiteTables
import Testing

/// Positions of list members keep their order, and those of a shared file contain its number.
@Suite struct ListPositionsTests {
  private static let ranges = [
    RowIDRange.unshared, RowIDRange(storeNumber: 0x5A5_1234),
    RowIDRange(storeNumber: RowIDRange.highestNumber), RowIDRange(storeNumber: 1),
  ]

  private func expectTag(_ positions: [Int64], _ range: RowIDRange) {
    guard range.isShared else { return }
    let tag = range.storeNumber & 0xFFFF
    #expect(positions.allSatisfy { $0 & 0xFFFF == tag })
  }

  @Test(arguments: ranges) func positionsIncreaseWithinTheirBounds(_ range: RowIDRange) {
    var random = SeededRandom(7)
    for _ in 0..<2_000 {
      let lower = Int64.random(in: -(1 << 50)...(1 << 50), using: &random)
      let bits = Int64.random(in: 1...45, using: &random)
      let upper = lower + Int64.random(in: 1...(1 << bits), using: &random)
      let count = Int.random(in: 1...40, using: &random)
      let positions = range.positions
      let after = positions.after(lower, count: count)
      let before = positions.before(lower, count: count)
      #expect(after?.count == count && before?.count == count)
      #expect(after!.first! > lower && before!.last! < lower)
      let between = positions.between(lower, upper, count: count)
      let window = positions.inWindow(from: lower, to: upper, count: count)
      for chosen in [after, before, between, window] {
        guard let chosen else { continue }
        #expect(chosen == chosen.sorted() && Set(chosen).count == count)
        expectTag(chosen, range)
      }
      for chosen in [between, window] {
        guard let chosen else { continue }
        #expect(chosen.count == count && chosen.first! > lower && chosen.last! < upper)
      }
    }
  }

  @Test(arguments: ranges) func fullRangesHaveNoPosition(_ range: RowIDRange) {
    let positions = range.positions
    #expect(positions.after(.max, count: 1) == nil)
    #expect(positions.after(0, count: .max) == nil)
    #expect(positions.before(.min, count: 1) == nil)
    #expect(positions.between(5, 6, count: 1) == nil)
    #expect(positions.inWindow(from: 5, to: 6, count: 1) == nil)
  }

  @Test func manyMembersCanBeInsertedAtOnePlaceAndAtTheEnd() {
    let shared = RowIDRange(storeNumber: 99).positions
    var upper = shared.after(0, count: 2)![1]
    let lower = shared.after(0, count: 2)![0]
    var inserted = 0
    while let next = shared.between(lower, upper, count: 1) {
      upper = next[0]
      inserted += 1
    }
    #expect(inserted == 20)
    #expect(shared.after(0, count: 1 << 20) != nil)
    let last = (Int64(1) << 26) << 36
    #expect(shared.after(last, count: 1) != nil)
  }
}
