import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Queries and predicates that must compile, and be Sendable values.
@Suite(.everyEngine) struct CompilingTests {
  static let adults = MagicQuery(Resident.self).where(\.$age >= 18).order(by: \.$name)

  static func isNamed(_ name: String) -> MagicPredicate<Resident> { \.$name == name }

  static func isRich(_ row: MagicRow<Resident>) -> MagicPredicate<Resident> { row.$money == 1_000 }

  private func needsSendable(_ value: some Sendable) {}

  @Test func queriesAndPredicatesAreValuesThatCanBeStoredAndRefined() throws {
    let test = try TestStore.ofResidents()
    needsSendable(Self.adults)
    needsSendable(Self.isNamed("Ada"))
    needsSendable(Self.adults.bound(to: test.store))
    needsSendable(test.store.query(Resident.self).select(\.$name, \.$age))
    needsSendable(test.store.query(Resident.self).grouped(by: \.$age))
    let young = Self.adults.where(\.$age < 30)
    #expect(try young.bound(to: test.store).all().map(\.name) == ["Ben", "Cleo"])
    #expect(try Self.adults.bound(to: test.store).count() == 4)
    #expect(try Self.adults.where(Self.isNamed("Ben")).bound(to: test.store).count() == 1)
    #expect(try Self.adults.where(Self.isRich).bound(to: test.store).count() == 0)
  }

  @Test func everyFormOfAPredicateCompiles() throws {
    let moment = Date(timeIntervalSinceReferenceDate: 0)
    let name: String? = "x"
    let ages: Set<Int> = [1, 2]
    let predicates: [MagicPredicate<Resident>] = [
      \.$age == 1, \.$age != 1, \.$nick == nil, \.$nick == name, \.$nick != "x", \.$money == 3,
      \.$born == moment, \.$born < moment, \.$token == UUID(), \.$isActive == true,
      \.$weight > 1, \.$weight <= 1.5, \.$height >= 2, \.$level < 3,
      \.$age + 1 == 2, \.$age * 2 - 1 < \.$id, \.$age < \.$id + 1, \.$height > \.$height,
      \.$isActive && \.$age > 3, \.$age > 3 || \.$isActive, !\.$isActive, !(\.$age == 1),
      \.$home.$street == "x", \.$home.$owner.$age > 3, \.$home.$owner.$nick == nil,
    ]
    let closures: [@Sendable (MagicRow<Resident>) -> MagicPredicate<Resident>] = [
      { $0.$age.in([1, 2]) }, { $0.$age.in(ages) }, { $0.$nick.in(["x"]) },
      { $0.$age.in(1...3) && $0.$height.in(1..<3) }, { $0.$born.between(moment, moment) },
      { $0.$name.hasPrefix("x") || $0.$nick.hasSuffix("y") || $0.$name.like("%z") },
      { $0.$name.lowercased().contains("x") }, { $0.$home.$street.hasPrefix("x") },
      { $0.$home.$members.contains { $0.$age > 4 && $0.$home.$street == "x" } },
      { $0.$friends.count > 2 && $0.$rooms.isEmpty }, { $0.$fans.allSatisfy { $0.$isActive } },
      { $0.$homes.none { $0.$members.count > 3 } }, { $0.$age + $0.$id * 2 > 3 },
      { \.$age > 3 && $0.$name == "x" }, { $0.$age == $0.$id && !$0.$isActive },
    ]
    let test = try TestStore.ofResidents()
    for (number, predicate) in predicates.enumerated() {
      let query = test.store.query(Resident.self).where(predicate)
      #expect(try query.count() == query.all().count, "predicate \(number)")
    }
    for (number, closure) in closures.enumerated() {
      let query = test.store.query(Resident.self).where(closure)
      #expect(try query.count() == query.all().count, "closure \(number)")
    }
  }
}
