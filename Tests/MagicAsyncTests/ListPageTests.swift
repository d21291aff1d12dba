import EngineConformance
import MagicTestSupport
import Testing

@testable import MagicAsync

/// The pages of a list in memory. Join rows are moved between the reads of two pages.
@Suite struct ListPageTests {
  /// The join rows of a list.
  struct Table {
    var links: [ListEntry]
    var lookups = 0
    private var nextTarget: Int64

    init(_ count: Int) {
      links = (0..<count).map { ListEntry(position: Int64($0) << 24, target: Int64($0)) }
      nextTarget = -1
    }

    func isUnmoved(_ link: ListEntry) -> Bool {
      let index = start(behind: link.position - 1)
      return index < links.count && links[index] == link
    }

    func start(behind position: Int64) -> Int {
      var (low, high) = (0, links.count)
      while low < high {
        let middle = (low + high) / 2
        if links[middle].position <= position { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// Moves every join row of a range to the position after the previous one.
    mutating func crowd(_ range: Range<Int>) {
      guard let first = range.first else { return }
      let start = first > 0 ? links[first - 1].position + 1 : links[0].position
      for index in range {
        links[index] = ListEntry(
          position: start + Int64(index - first), target: links[index].target)
      }
    }

    /// Moves the join rows of a range to distinct positions before the next join row.
    mutating func spread(_ range: Range<Int>) {
      guard let first = range.first else { return }
      let start = first > 0 ? links[first - 1].position : links[0].position - 1
      let end =
        range.upperBound < links.count
        ? links[range.upperBound].position : start + Int64(range.count + 1) << 24
      let step = (end - start) / Int64(range.count + 1)
      guard step > 0 else { return }
      for index in range {
        links[index] = ListEntry(
          position: end - Int64(range.upperBound - index) * step, target: links[index].target)
      }
    }

    /// Inserts join rows with new targets, less than 0, after one.
    mutating func insert(_ count: Int, at index: Int) {
      let first = links[0].position
      let new = (0..<count).map {
        ListEntry(position: first + Int64($0 - count), target: nextTarget - Int64($0))
      }
      nextTarget -= Int64(count)
      links.insert(contentsOf: new, at: index)
      guard index > 0 else { return }
      // As many positions as necessary.
      var end = index + count
      while end < links.count,
        links[end].position - links[index - 1].position <= Int64(end - index) * 8
      {
        end += 1
      }
      spread(index..<end)
    }
  }

  /// One page as the database returns it.
  private func page(_ table: Table, _ end: inout ListEnd?, lookups: inout Int) -> [Int64]? {
    var page = ListPage(
      after: end,
      isUnmoved: {
        lookups += 1
        return table.isUnmoved($0)
      },
      find: { place in table.links.first { $0.target == place.target }?.position })
    var taken: [Int64] = []
    let start = table.start(behind: page.position)
    rows: for link in table.links[start...].prefix(page.entryCount) {
      switch page.use(of: link) {
      case .take: taken.append(link.target)
      case .pass: break
      case .stop: break rows
      }
    }
    end = nil
    if case .list(let known) = page.makeCursor()?.end { end = known }
    return taken
  }

  private func read(
    _ table: inout Table, lookups: inout Int, between: (inout Table, [Int64]) -> Void
  ) -> [Int64] {
    var end: ListEnd?
    var seen: [Int64] = []
    repeat {
      seen += page(table, &end, lookups: &lookups) ?? []
      between(&table, seen)
    } while end != nil
    return seen
  }

  @Test func anUnchangedListNeedsOneLookupPerPage() {
    var table = Table(5_120)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { _, _ in }
    #expect(seen == Array(0..<5_120))
    #expect(lookups == 9)
  }

  @Test func aMovedPageIsFoundWithFewLookups() {
    var table = Table(60_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      if seen.count == 40_960 { table.crowd(10_000..<50_000) }
    }
    #expect(seen == Array(0..<60_000))
    #expect(lookups < 117 + 64)
  }

  @Test func aListWhoseJoinRowsAreAllMovedStartsAgainAndRepeatsNoMember() {
    var table = Table(60_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      guard seen.count == 51_200 else { return }
      table.links = table.links.map {
        ListEntry(position: $0.position - 1 << 50, target: $0.target)
      }
    }
    #expect(seen == Array(0..<60_000))
  }

  @Test func sixtyFiveThousandMovedJoinRowsRepeatNoMember() {
    var table = Table(150_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      if seen.count == 102_400 { table.crowd((102_400 - 65_000)..<140_000) }
    }
    #expect(seen == Array(0..<150_000))
  }

  @Test(arguments: [-1, 1] as [Int64])
  func aMemberIsSearchedForIfMoreJoinRowsAreMovedThanAreRecorded(_ sign: Int64) {
    var table = Table(150_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      guard seen.count == 102_400 else { return }
      table.links.remove(at: 102_400)
      table.links.remove(at: 102_399)
      table.links.remove(at: 102_398)
      table.links = table.links.map {
        ListEntry(position: $0.position + sign << 50, target: $0.target)
      }
    }
    #expect(seen == Array(0..<102_400) + Array(102_401..<150_000))
  }

  @Test func theOthersAreReturnedIfMoreJoinRowsAreDeletedThanAreRecorded() {
    var table = Table(150_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      if seen.count == 102_400 { table.links.removeSubrange(20_000..<102_500) }
    }
    #expect(seen == Array(0..<102_400) + Array(102_500..<150_000))
  }

  @Test func removingReturnedMembersSkipsNoOther() {
    var table = Table(5_000)
    var lookups = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      table.links.removeAll { $0.target <= seen[seen.count - 1] }
      table.spread(0..<table.links.count)
    }
    #expect(seen == Array(0..<5_000))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func remainingMembersAreReturnedOnceForAnyMoves(_ seed: UInt64) {
    var numbers = SeededRandom(seed)
    let count = Int.random(in: 1...8_000, using: &numbers)
    // Some members are deleted, in another order.
    var leaving = (0..<Int64(count)).filter { _ in Int.random(in: 0..<10, using: &numbers) == 0 }
    leaving.shuffle(using: &numbers)
    let staying = Set(0..<Int64(count)).subtracting(leaving).sorted()
    var table = Table(count)
    var lookups = 0
    var rounds = 0
    let seen = read(&table, lookups: &lookups) { table, seen in
      rounds += 1
      let last = seen.last.flatMap { last in table.links.firstIndex { $0.target == last } } ?? 0
      for _ in 0..<Int.random(in: 0...4, using: &numbers) where !table.links.isEmpty {
        let size = table.links.count
        let start = Int.random(in: 0..<size, using: &numbers)
        let end = Int.random(in: start...size, using: &numbers)
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: table.crowd(0..<min(size, last + 700))
        case 1: table.crowd(start..<end)
        case 2: table.spread(start..<end)
        case 3: table.spread(0..<min(size, last + 2))
        case 4 where rounds < 30:
          table.insert(Int.random(in: 1...1_500, using: &numbers), at: min(last, size))
        case 5 where rounds < 30: table.insert(1, at: min(1, size))
        case 6:
          let gone = Set(leaving.suffix(40))
          leaving.removeLast(min(40, leaving.count))
          table.links.removeAll { gone.contains($0.target) }
        default: table.links.removeAll { $0.target < 0 && Bool.random(using: &numbers) }
        }
      }
    }
    let stayed = Set(staying)
    #expect(seen.filter { stayed.contains($0) } == staying)
  }
}
