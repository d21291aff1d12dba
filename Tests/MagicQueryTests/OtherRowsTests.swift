import EngineConformance
import MagicQuery
import Testing

struct Rank: MagicObject {
  @MagicValue var key: Int = 0
  @OptionMagicValue var n: Int?
  @OptionMagicValue var small: Int8?
  @OptionMagicValue var boss: Rank?
  @ReverseMagicValue(\Rank.$boss) var staff: AsyncReverseMagicSet<Rank>

  init() {}

  init(_ key: Int, boss: Rank?) {
    self.key = key
    self.boss = boss
    n = key
  }
}

/// Updates whose values are computed from other rows.
@Suite(.everyEngine) struct OtherRowsTests {
  let test: TestStore

  /// Each rank refers to the previous one.
  init() throws {
    test = try TestStore()
    var links: [Rank] = []
    for key in 1...4 { links.append(Rank(key, boss: links.last)) }
    try test.store.update(contentsOf: links)
  }

  private func numbers() throws -> [Int?] {
    try test.store.query(Rank.self).order(by: \.$key).select(\.$n).all()
  }

  @Test func anUpdateReadsTheEarlierValuesOfOtherRows() throws {
    let links = test.store.query(Rank.self)
    #expect(try links.update(set: .set(\.$n, to: { $0.$boss.$n })) == 4)
    #expect(try numbers() == [nil, 1, 2, 3])
    #expect(try links.update(set: .set(\.$n, to: { $0.$boss.$boss.$n })) == 4)
    #expect(try numbers() == [nil, nil, nil, 1])
  }

  @Test func anUpdateCountsTheEarlierMembers() throws {
    let links = test.store.query(Rank.self)
    try links.update(set: .set(\.$key, to: { $0.$staff.count { $0.$key > 1 } }))
    #expect(try links.order { $0.zIndex }.select(\.$key).all() == [1, 1, 1, 0])
  }

  @Test func onlyTheRowsOfTheQueryChange() throws {
    let last = test.store.query(Rank.self).where(\.$key > 1).order(by: \.$key).limit(2)
    let changed = try last.update(
      set: .set(\.$n, to: { $0.$boss.$n + 10 }), .set(\.$key, to: { $0.$key * 100 }))
    #expect(changed == 2)
    #expect(try numbers() == [1, 4, 11, 12])
    #expect(try test.store.query(Rank.self).where { $0.$boss.$n > 9 }.update(set: \.$n, to: 0) == 2)
    #expect(try numbers() == [1, 0, 11, 0])
  }

  @Test func aComputedNumberOutOfRangeChangesNothing() throws {
    let links = test.store.query(Rank.self)
    #expect(try links.update(set: \.$small, to: 100) == 4)
    let failing = { try links.update(set: .set(\.$small, to: { $0.$boss.$small + 100 })) }
    #expect(code { try failing() } == .cannotEncode)
    #expect(try links.where(\.$small == 100).count() == 4)
    #expect(try links.update(set: .set(\.$small, to: { $0.$boss.$small + 1 })) == 4)
    #expect(try links.where(\.$small == 101).count() == 3)
  }
}
