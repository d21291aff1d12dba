import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

struct Deckhand: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var mate: Deckhand?
  @ReverseMagicValue(\Deck.$hands) var decks: AsyncReverseMagicSet<Deck>
  @ReverseMagicValue(\Deckhand.$mate) var mates: AsyncReverseMagicSet<Deckhand>

  init() {}
  init(_ name: String) { self.name = name }
}

struct Deck: MagicObject {
  @MagicValue var name: String = "main"
  @MagicValue var hands: [Deckhand] = []

  init() {}
}

/// Query plans and diagnostics, called from tasks.
@Suite struct ExplainingTests {
  @Test func aTaskReadsAQueryPlan() async throws {
    let magic = try await MagicData(type: .temporary)
    let statement = magic.sql("SELECT id FROM \(table: Person.self) WHERE age = \(1)")
    #expect(try await statement.explain().fullScans == [])
    try await magic.update(Person(name: "Ada"))
    let plan = try await statement.explain()
    #expect(plan.fullScans == ["Person"])
    #expect(plan.suggestions.map(\.description) == ["Person: @MagicValue(.indexed) var age"])
    await magic.close()
  }

  @Test func repeatedInverseReadsOfAToOneAreReported() async throws {
    let diagnoses = Recorder<MagicDiagnosis>()
    let magic = try await MagicData(
      type: .memory,
      options: MagicOptions(
        diagnostics: MagicDiagnostics(lookUpLimit: 3, lookUpSeconds: 60) { diagnoses.note($0) }))
    let bosun = Deckhand("bosun")
    bosun.mate = bosun
    try await magic.update(bosun)
    for _ in 0..<4 { #expect(try await bosun.mates.count == 1) }
    #expect(diagnoses.all.map(\.kind) == [.singleReverseLookUps])
    #expect(
      diagnoses.all[0].advice == """
        sql("SELECT z_index FROM \\(table: Deckhand.self) WHERE \\(column: \\Deckhand.$mate) \
        IN \\(values: objects)").objects(of: Deckhand.self)
        """)
    let found = try await magic.sql(
      "SELECT z_index FROM \(table: Deckhand.self) WHERE \(column: \Deckhand.$mate) IN \(values: [bosun])"
    ).objects(of: Deckhand.self)
    #expect(found.map(\.name) == ["bosun"])
    bosun.mate = nil
    await magic.close()
  }

  @Test func repeatedInverseReadsOfACollectionAreReported() async throws {
    let diagnoses = Recorder<MagicDiagnosis>()
    let magic = try await MagicData(
      type: .temporary,
      options: MagicOptions(
        diagnostics: MagicDiagnostics(lookUpLimit: 20, lookUpSeconds: 60) { diagnoses.note($0) }))
    let deck = Deck()
    deck.hands = (0..<25).map { Deckhand("h\($0)") }
    try await magic.update(deck)
    let hands = try await magic.object(of: Deckhand.self)
    for hand in hands { for try await deck in hand.decks { #expect(deck.name == "main") } }
    #expect(diagnoses.all.map(\.kind) == [.singleReverseLookUps])
    #expect(
      diagnoses.all[0].advice == """
        sql("SELECT DISTINCT owner AS z_index FROM \\(links: \\Deck.$hands) \
        WHERE target IN \\(values: objects)").objects(of: Deck.self)
        """)
    // The advice is SQL that works.
    let decks = try await magic.sql(
      "SELECT DISTINCT owner AS z_index FROM \(links: \Deck.$hands) WHERE target IN \(values: hands)"
    ).objects(of: Deck.self)
    #expect(decks.map(\.name) == ["main"])
    await magic.close()
  }
}
