import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Values, queries and expressions beyond SQLite's limits.
@Suite struct LimitTests {
  let scratch = Scratch()

  @Test func dataBeyondTheLimitIsTooBigAndNothingIsStored() async throws {
    struct Parcel: MagicObject {
      @MagicValue var content: Data = Data()
      @OptionMagicValue var label: String?
    }
    try await scratch.using { magic async throws in
      let parcel = Parcel()
      parcel.content = Data(count: 1_000_000_001)
      await expect(.tooBig) { try await magic.update(parcel) }
      #expect(parcel.zIndex == nil)
      #expect(try await magic.object(of: Parcel.self).isEmpty)
      parcel.content = Data([1])
      try await magic.update(parcel)
      await expect(.tooBig) {
        try await magic.sql("UPDATE Parcel SET content = zeroblob(1000000001)").run()
      }
      #expect(try await magic.object(of: Parcel.self).map(\.content) == [Data([1])])
    }
  }

  @Test func queriesAcceptListsOfAnyLength() async throws {
    try await scratch.using(MagicOptions(durability: .normal)) { magic async throws in
      try await magic.update(contentsOf: (0..<1_000).map { Person(id: "\($0)", name: "n\($0)") })
      let many = (0..<400_000).map { "\($0 * 2)" }
      #expect(try await magic.object(of: Person.self, primaries: many).count == 500)
      #expect(
        try await magic.query(Person.self).where { person in person.$id.in(many) }.count() == 500)
    }
  }

  @Test func moreParametersThanSQLiteAllowsAreRefused() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      let values = Array(repeating: "?", count: 40_000).joined(separator: ",")
      await expect(.invalidQuery) {
        _ = try await magic.sql("SELECT count(*) FROM Note WHERE text IN (\(raw: values))")
          .value(Int.self)
      }
      #expect(try await magic.texts() == ["a"])
    }
  }

  @Test func anExpressionThatIsTooDeepIsRefused() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Person(id: "a", name: "x"))
      let term: MagicPredicate<Person> = \.$age == 3
      let deep = (0..<100_000).reduce(term) { predicate, _ in !(predicate && term) }
      await expect(.invalidQuery) { _ = try await magic.query(Person.self).where(deep).count() }
      let sum = Array(repeating: "1", count: 5_000).joined(separator: " + ")
      await expect(.invalidQuery) { _ = try await magic.sql("SELECT \(raw: sum)").value(Int.self) }
      let union = Array(repeating: "SELECT 1", count: 501).joined(separator: " UNION ALL ")
      await expect(.invalidQuery) { _ = try await magic.sql("\(raw: union)").rows(Int.self) }
      #expect(try await magic.query(Person.self).where(term).count() == 1)
    }
  }

  private struct Wide: MagicObject {
    @MagicValue var first: Int = 0
    @MagicValue var values: [Int] = []
  }

  @Test func aValueOfManyElementsIsOneColumn() async throws {
    try await scratch.using { magic async throws in
      let wide = Wide()
      wide.values = Array(0..<100_000)
      try await magic.update(wide)
      #expect(try await magic.object(of: Wide.self).map(\.values.count) == [100_000])
    }
  }
}
