import MagicQuery
import MagicTestSupport
import Testing

/// Query plans of queries with windows.
@Suite struct WindowPlanTests {
  private let fleet: Fleet

  init() throws {
    fleet = try Fleet()
    try fleet.store.update(Cargo("x"))
  }

  private var cargo: MagicQuery<Cargo, MagicObjectStore> { fleet.store.query(Cargo.self) }

  @Test func aWindowScansItsTableOnce() throws {
    let selection = cargo.select {
      $0.rank(over: .partition(by: $0.$port).order(by: $0.$class, .descending))
    }
    #expect(try selection.explain().fullScans == ["Cargo"])
    let indexed = cargo.where { $0.$name == "x" }.select { $0.rank(over: .order(by: $0.$class)) }
    #expect(try indexed.explain().isIndexed)
  }

  @Test func theRowsOfAnInnerStatementAreNoTable() throws {
    let top = cargo.where { $0.$name == "x" }
      .top(2) { .partition(by: $0.$port).order(by: $0.$class) }
    #expect(try top.explain().isIndexed)
    #expect(try top.explain().fullScans.isEmpty)
    let all = cargo.top(2) { .partition(by: $0.$port).order(by: $0.$class) }
    #expect(try all.explain().fullScans == ["Cargo"])
    #expect(
      try all.explain().suggestions.map(\.declaration)
        == ["static var indexes: [MagicIndex<Cargo>] { [MagicIndex(\\.$port, \\.$class)] }"])
    let groups = cargo.where { $0.$name == "x" }.grouped(by: \.$port)
      .top(1) { .order(by: $0.count) }.select(\.count)
    #expect(try groups.explain().isIndexed)
  }
}
