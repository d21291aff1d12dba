import EngineConformance
import MagicData
import Testing

/// The engine in memory, which has no search, refuses it with an error that says so.
@Suite(.everyEngine, .requires(.queries)) struct EngineTests {
  @Test func aSearchIsAnsweredOrRefused() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(Label("swift"))
    let query = magic.query(Label.self)
    guard !TestedEngine.current.has(.assets) else {
      #expect(try await query.matching("swift").count() == 1)
      return
    }
    let errors = [
      await #expect(throws: MagicError.self) { try await query.matching("swift").all() },
      await #expect(throws: MagicError.self) { try await query.matching("swift").hits() },
      await #expect(throws: MagicError.self) { try await query.where { $0.matches("a") }.all() },
    ]
    #expect(errors.map(\.?.code) == [.unsupported, .unsupported, .unsupported])
  }
}
