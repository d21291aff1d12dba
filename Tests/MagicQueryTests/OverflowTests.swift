import EngineConformance
import MagicData
import MagicQuery
import Testing

/// Computed integers that exceed 64 bits, and sums that are not numbers.
@Suite(.everyEngine) struct OverflowTests {
  private let test: TestStore

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [Resident("a", age: .max), Resident("b", age: 1)])
  }

  private var residents: MagicQuery<Resident, MagicObjectStore> { test.store.query(Resident.self) }

  private func code(
    _ predicate: (MagicRow<Resident>) -> MagicPredicate<Resident>
  ) -> MagicError.Code? {
    MagicQueryTests.code { try residents.where(predicate).all() }
  }

  @Test func aConditionWithAnOverflowIsAnError() throws {
    #expect(code { $0.$age + 1 > 0 } == .cannotEncode)
    #expect(code { 0 > $0.$age * 2 } == .cannotEncode)
    #expect(code { -2 - $0.$age == 0 } == .cannotEncode)
    #expect(code { -(-1 - $0.$age) == 0 } == .cannotEncode)
    #expect(code { (-1 - $0.$age) / -1 == 0 } == .cannotEncode)
    #expect(code { row in (row.$age * 2).in([1, 2]) } == .cannotEncode)
    #expect(code { .when($0.$age + 1 > 0, then: true, else: false) } == .cannotEncode)
    #expect(MagicQueryTests.code { try residents.where(\.$age + 1 > 0).count() } == .cannotEncode)
    #expect(try residents.where(\.$age - 1 > 0).select(\.$name).all() == ["a"])
    #expect(try residents.where { ($0.$age - 1) * 0 == 0 && -$0.$age < 0 }.count() == 2)
    #expect(try residents.where { $0.$age / 0 == 0 }.count() == 0)
    #expect(try residents.where { $0.$age % -1 == 0 }.count() == 2)
  }

  @Test func aConditionThatIsNotEvaluatedDoesNotOverflow() throws {
    #expect(try residents.where { $0.$age == 1 && $0.$age + 1 == 2 }.count() == 1)
    #expect(try residents.where { $0.$age == .max || $0.$age + 1 == 2 }.count() == 2)
  }

  @Test func anOverflowInAnOrderSelectionOrGroupIsTheSameError() throws {
    #expect(MagicQueryTests.code { try residents.order { $0.$age + 1 }.all() } == .cannotEncode)
    #expect(MagicQueryTests.code { try residents.select { $0.$age + 1 }.all() } == .cannotEncode)
    #expect(
      MagicQueryTests.code { try residents.select { $0.$age + 1 > 0 }.all() } == .cannotEncode)
    #expect(
      MagicQueryTests.code { try residents.grouped { $0.$age * 2 }.count() } == .cannotEncode)
    #expect(
      MagicQueryTests.code {
        try residents.grouped(by: \.$name).having { $0.max(\.$age) + 1 > 0 }.count()
      } == .cannotEncode)
    #expect(MagicQueryTests.code { try residents.sum { $0.$age + 1 } } == .cannotEncode)
    #expect(
      MagicQueryTests.code {
        try residents.where { _ in MagicQuery(Resident.self).exists { $0.$age + 1 == 0 } }.count()
      } == .cannotEncode)
  }

  @Test func anUpdateWithAnOverflowChangesNothing() throws {
    #expect(MagicQueryTests.code { try residents.update(set: \.$age += 1) } == .cannotEncode)
    #expect(
      MagicQueryTests.code {
        try residents.where(\.$age + 1 > 0).update(set: \.$name, to: "c")
      } == .cannotEncode)
    #expect(MagicQueryTests.code { try residents.where(\.$age + 1 > 0).delete() } == .cannotEncode)
    #expect(try residents.order(by: \.$age).select(\.$name).all() == ["b", "a"])
  }

  @Test func numbersOfBothKindsInATextAreCompared() throws {
    #expect(try residents.where { $0.$age.as(Double.self) + 0.5 > 2 }.count() == 1)
    #expect(try residents.where { $0.$age.as(Double.self) * 2 > 1e18 }.count() == 1)
  }

  @Test func aSumThatIsNotANumberIsNil() throws {
    try residents.where(\.$name == "a").update(set: \.$weight, to: .infinity)
    try residents.where(\.$name == "b").update(set: \.$weight, to: -.infinity)
    #expect(MagicQueryTests.code { try residents.sum(\.$weight) } == .cannotDecode)
    #expect(MagicQueryTests.code { try residents.sum { $0.$weight * 2 } } == .cannotDecode)
    #expect(MagicQueryTests.code { try residents.limit(2).sum(\.$weight) } == .cannotDecode)
    #expect(
      MagicQueryTests.code { try residents.grouped(by: \.$isActive).sum(\.$weight) }
        == .cannotDecode)
    #expect(try residents.average(\.$weight) == nil)
    #expect(try residents.where(\.$name == "a").sum(\.$weight) == .infinity)
    #expect(try residents.where(\.$name == "x").sum(\.$weight) == 0)
    #expect(
      try residents.grouped(by: \.$name).sum(\.$weight).map(\.sum) == [.infinity, -.infinity])
    let sums = MagicQuery(Resident.self)
    #expect(try residents.where { _ in sums.sum(\.$weight) == 0 }.count() == 0)
  }
}
