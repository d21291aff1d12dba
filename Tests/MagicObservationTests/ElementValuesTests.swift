import EngineConformance
import MagicData
import MagicQuery
import Testing

private struct Tagged: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var tags: [String] = []
  @MagicValue var note: String = ""

  init() {}

  init(_ name: String, _ tags: [String]) {
    self.name = name
    self.tags = tags
  }
}

/// Live results of conditions on the elements of JSON.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct ElementValuesTests {
  @Test(.requires(.queries)) func aConditionOnElementsDependsOnTheirProperty() async throws {
    let magic = try ValuedWorld().magic
    let (a, b) = (Tagged("a", ["sea"]), Tagged("b", []))
    try await magic.update(a, b)
    let names = ValuedResults(
      magic.query(Tagged.self).where { $0.$tags.contains { $0.hasPrefix("s") } }
        .order(by: \.$name).select(\.$name).values())
    #expect(try await names.first(1)[0] == ["a"])
    b.note = "other"
    try await magic.update(b)
    b.tags = ["x", "ship"]
    try await magic.update(b)
    #expect(try await names.first(2)[1] == ["a", "b"])
    a.tags = []
    try await magic.update(a)
    #expect(try await names.first(3)[2] == ["b"])
  }
}
