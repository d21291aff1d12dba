import MagicData
import Testing

struct Colleague: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var pay: Int = 0
  @OptionMagicValue var manager: Colleague?
  @ReverseMagicValue(\Colleague.$manager) var reports: AsyncReverseMagicSet<Colleague>

  init() {}
}

/// The examples of descendants and ancestors.
@Suite struct DocumentedHierarchies {
  @Test func queriesFollowARelationshipToAnyDepth() async throws {
    let magic = try await MagicData(type: .temporary)
    let (boss, ann, eve) = (Colleague(), Colleague(), Colleague())
    (boss.name, boss.pay) = ("Boss", 9)
    (ann.name, ann.pay, ann.manager) = ("Ann", 7, boss)
    (eve.name, eve.pay, eve.manager) = ("Eve", 1, ann)
    try await magic.update(eve)

    // All that work for the boss, directly or not, the closest first.
    let team = try await magic.query(Colleague.self)
      .descendants(of: boss, by: \.$reports)
      .order { $0.depth }
      .all()

    // What each level of the hierarchy costs.
    let levels = try await magic.query(Colleague.self)
      .descendants(of: boss, by: \.$reports)
      .grouped { $0.depth }
      .order(byKey: .ascending)
      .sum(\.$pay)

    // The two managers above a colleague, from the top.
    let chain = try await magic.query(Colleague.self)
      .ancestors(of: eve, by: \.$manager, maximumDepth: 2)
      .order(.descending) { $0.depth }
      .all()

    // A condition chooses the objects at the start.
    let paid = try await magic.query(Colleague.self)
      .descendants(by: \.$reports, includingStart: true) { $0.$pay > 8 }
      .count()

    #expect(team.map(\.name) == ["Ann", "Eve"])
    #expect(levels.map(\.key) == [1, 2] && levels.map(\.sum) == [7, 1])
    #expect(chain.map(\.name) == ["Boss", "Ann"])
    #expect(paid == 3)
  }
}
