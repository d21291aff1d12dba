import MagicData
import MagicDataPostgres
import PostgreSQLTestSupport
import Testing

final class Stop: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var number: Int
  @MagicValue var weight: Int = 1
  @OptionMagicValue var parent: Stop?
  @MagicValue var next: [Stop] = []

  init() {}
  init(_ number: Int) { self.number = number }
}

/// The depths of descendants and ancestors.
@Suite(.requiresPostgreSQL) struct DepthTests {
  @Test func aRowHasTheSmallestDepthOfItsWaysAndCyclesEnd() async throws {
    let magic = try await TestSchema().openMagicData()
    let stops = (0..<9).map { Stop($0 + 1) }
    for index in stops.indices { stops[index].parent = stops[(index + 8) % 9] }
    stops[0].next = [stops[1], stops[2], stops[0]]
    stops[1].next = [stops[3], stops[2]]
    stops[2].next = [stops[3]]
    stops[3].next = [stops[0], stops[4]]
    try await magic.update(contentsOf: stops)
    let query = magic.query(Stop.self)

    let above = try await query.ancestors(of: stops[5], by: \.$parent).order { $0.depth }.all()
    #expect(above.map(\.number) == [5, 4, 3, 2, 1, 9, 8, 7])
    let near = try await query.ancestors(of: stops[5], by: \.$parent, maximumDepth: 3)
      .order(.descending) { $0.depth }.all()
    #expect(near.map(\.number) == [3, 4, 5])
    let below = try await query.descendants(of: stops[7], by: \.$parent).order { $0.depth }.all()
    #expect(below.map(\.number) == [9, 1, 2, 3, 4, 5, 6, 7])

    let levels = try await query.descendants(of: stops[0], by: \.$next)
      .grouped { $0.depth }.order(byKey: .ascending).sum(\.$weight)
    #expect(levels.map(\.key) == [1, 2, 3] && levels.map(\.sum) == [2, 1, 1])
    let all = try await query.descendants(by: \.$next, includingStart: true) { $0.$number <= 2 }
      .grouped { $0.depth }.order(byKey: .ascending).sum(\.$weight)
    #expect(all.map(\.key) == [0, 1, 2] && all.map(\.sum) == [2, 2, 1])
    let back = try await query.ancestors(of: stops[4], by: \.$next, maximumDepth: 2)
      .order { $0.depth }.order(by: \.$number).all()
    #expect(back.map(\.number) == [4, 2, 3])
    await magic.close()
  }

  @Test func aChainOfThousandsOfLevelsHasDepths() async throws {
    let magic = try await TestSchema().openMagicData()
    let stops = (0..<3_000).map { Stop($0 + 1) }
    for (stop, parent) in zip(stops.dropFirst(), stops) { stop.parent = parent }
    try await magic.update(contentsOf: stops)
    let above = try await magic.query(Stop.self).ancestors(of: stops[2_999], by: \.$parent)
      .order { $0.depth }.select(\.$number).all()
    #expect(above == (1..<3_000).reversed())
    await magic.close()
  }
}
