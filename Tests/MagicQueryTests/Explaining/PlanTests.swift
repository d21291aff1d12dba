import MagicQuery
import MagicStatements
import Testing

/// A type with some indexes.
struct Cargo: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @MagicValue var weight: Int = 0
  @OptionMagicValue var port: String?
  @MagicValue(.named("made_in")) var origin: String = ""
  @MagicValue var `class`: Int = 0

  static var indexes: [MagicIndex<Cargo>] { [MagicIndex(\.$weight, \.$class)] }

  init() {}
  init(_ name: String) { self.name = name }
}

extension String {
  /// SQLite before 3.36 says `SCAN TABLE x` where later versions say `SCAN x`.
  fileprivate var withoutTableWord: String {
    replacing("SCAN TABLE ", with: "SCAN ").replacing("SEARCH TABLE ", with: "SEARCH ")
  }
}

extension MagicPlan {
  fileprivate var texts: [String] { steps.map(\.text.withoutTableWord) }
}

/// Query plans of SQL statements.
@Suite struct PlanTests {
  private let fleet: Fleet

  init() throws {
    fleet = try Fleet()
    try fleet.store.update(contentsOf: (0..<20).map { Cargo("c\($0)") })
  }

  private func plan(_ sql: MagicSQL) throws -> MagicPlan { try fleet.store.sql(sql).explain() }

  @Test func aSearchNamesItsIndex() throws {
    let plan = try plan("SELECT weight FROM Cargo WHERE name = \("x")")
    #expect(plan.sql == "SELECT weight FROM Cargo WHERE name = ?")
    #expect(plan.texts == ["SEARCH Cargo USING INDEX Cargo(name) (name=?)"])
    #expect(plan.steps[0].table == "Cargo")
    #expect(plan.steps[0].access == .search)
    #expect(plan.steps[0].index == "Cargo(name)")
    #expect(!plan.steps[0].isFullScan)
    #expect(plan.fullScans.isEmpty)
    #expect(plan.suggestions.isEmpty)
  }

  @Test func anIndexOfSeveralColumnsHasAllItsColumns() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE weight = 1 AND class > 2")
    #expect(plan.steps[0].index == "Cargo(weight, class)")
  }

  @Test func theRowIDIsNotAnIndex() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE z_index = \(3)")
    #expect(plan.steps[0].access == .search)
    #expect(plan.steps[0].index == nil)
    #expect(!plan.steps[0].isFullScan)
  }

  @Test func aScanIsFull() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE port = \("x")")
    #expect(plan.texts == ["SCAN Cargo"])
    #expect(plan.fullScans == ["Cargo"])
    #expect(plan.suggestions.map(\.description) == ["Cargo: @OptionMagicValue(.indexed) var port"])
  }

  @Test func aScanOfAnIndexIsNotFull() throws {
    let plan = try plan("SELECT name FROM Cargo")
    #expect(plan.steps[0].access == .scan)
    #expect(plan.steps[0].index == "Cargo(name)")
    #expect(plan.fullScans.isEmpty)
  }

  @Test func anAliasIsResolvedToItsTable() throws {
    for sql: MagicSQL in [
      "SELECT * FROM Cargo AS c WHERE c.port = 'x'", "SELECT * FROM Cargo c WHERE c.port = 'x'",
      "SELECT * FROM main.\"Cargo\" c WHERE port = 'x'",
      "SELECT * FROM [Cargo] \"c\" WHERE \"c\".\"port\" IN ('x')",
      "SELECT 1 FROM \(table: Cargo.self) c WHERE c.\(column: \Cargo.$port) = \("x")",
    ] {
      let plan = try plan(sql)
      #expect(plan.fullScans == ["Cargo"], "\(sql)")
      #expect(
        plan.suggestions.map(\.declaration) == ["@OptionMagicValue(.indexed) var port"], "\(sql)")
    }
  }

  @Test func theAdviceHasTheNameOfTheProperty() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE made_in = 'x'")
    #expect(plan.suggestions.map(\.declaration) == ["@MagicValue(.indexed) var origin"])
  }

  @Test func columnsThatAreComparedTogetherShareAnIndex() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE class > 3 AND port = 'x' AND 'y' = made_in")
    #expect(
      plan.suggestions.map(\.declaration)
        == [
          "static var indexes: [MagicIndex<Cargo>] { [MagicIndex(\\.$port, \\.$origin, \\.$class)] }"
        ])
  }

  @Test func alternativesNeedAnIndexEach() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE port = 'x' OR class = 1")
    #expect(
      plan.suggestions.map(\.declaration) == [
        "@OptionMagicValue(.indexed) var port", "@MagicValue(.indexed) var class",
      ])
  }

  @Test func aSortWithoutAnIndexIsReported() throws {
    let plan = try plan("SELECT * FROM Cargo ORDER BY port DESC LIMIT 3")
    #expect(plan.texts == ["SCAN Cargo", "USE TEMP B-TREE FOR ORDER BY"])
    #expect(plan.steps[1].usesTemporaryTree)
    #expect(plan.suggestions.map(\.declaration) == ["@OptionMagicValue(.indexed) var port"])
  }

  @Test func conditionsThatNoIndexSupportsHaveNoAdvice() throws {
    for sql: MagicSQL in [
      "SELECT * FROM Cargo", "SELECT * FROM Cargo WHERE port LIKE '%x'",
      "SELECT * FROM Cargo WHERE lower(port) = 'x'", "SELECT * FROM Cargo WHERE class + 1 = 2",
      "SELECT * FROM Cargo WHERE port <> 'x'", "SELECT * FROM Cargo WHERE port IS NOT NULL",
      "SELECT * FROM Cargo WHERE 'port = ?' = made_in || 'x' -- port = 1",
      "UPDATE Cargo SET port = 'x'",
    ] {
      let plan = try plan(sql)
      #expect(plan.fullScans == ["Cargo"], "\(sql)")
      #expect(plan.suggestions.isEmpty, "\(sql)")
    }
  }

  @Test func aJoinWithAnAutomaticIndexReadsTheCompleteTable() throws {
    let plan = try plan("SELECT 1 FROM Cargo a JOIN Cargo b ON b.made_in = a.port")
    let made = try #require(plan.allSteps.first { $0.makesIndex })
    #expect(made.table == "Cargo")
    #expect(made.index == nil)
    #expect(made.isFullScan)
    #expect(plan.fullScans == ["Cargo"])
  }

  @Test func aScanOfASubqueryIsNoFullScan() throws {
    for sql: MagicSQL in [
      "SELECT 1", "SELECT * FROM json_each('[1]')", "VALUES (1), (2)",
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
    ] {
      #expect(try plan(sql).fullScans.isEmpty, "\(sql)")
    }
  }

  @Test func aPlanIsFormattedAsATree() throws {
    let plan = try plan(
      "SELECT * FROM Cargo WHERE port = 'x' AND name IN (SELECT name FROM Cargo WHERE weight = 1)")
    #expect(plan.allSteps.count > plan.steps.count)
    let lines = plan.description.split(separator: "\n")
    #expect(lines[0].hasPrefix("SELECT * FROM Cargo"))
    #expect(lines.contains { $0.hasPrefix("╰─ ") || $0.hasPrefix("├─ ") })
    #expect(lines.contains { $0.hasPrefix("   ╰─ ") || $0.hasPrefix("│  ╰─ ") })
    let scan = try self.plan("SELECT * FROM Cargo WHERE port = \("s3cret")")
    #expect(
      scan.description.withoutTableWord == """
        SELECT * FROM Cargo WHERE port = ?
        ╰─ SCAN Cargo  ← full scan
        Missing index? Cargo: @OptionMagicValue(.indexed) var port
        """)
  }

  @Test func explainingRunsNothing() throws {
    let plan = try plan("DELETE FROM Cargo WHERE port IS NULL")
    #expect(plan.fullScans == ["Cargo"])
    #expect(try fleet.store.object(of: Cargo.self).count == 20)
    try fleet.store.transaction { transaction in
      let plan = try transaction.sql("DELETE FROM Cargo").explain()
      #expect(plan.sql == "DELETE FROM Cargo")
    }
    #expect(try fleet.store.object(of: Cargo.self).count == 20)
  }

  @Test func statementsThatCannotBeExplainedAreErrors() throws {
    for sql: MagicSQL in [
      "SELEC 1", "SELECT * FROM Nobody", "SELECT 1; SELECT 2", "PRAGMA user_version",
    ] {
      let error = #expect(throws: MagicError.self) { try plan(sql) }
      #expect(error?.code == .invalidQuery)
    }
  }

  @Test func aPlanUsesTheCurrentTables() throws {
    let explanation = fleet.store.sql("EXPLAIN QUERY PLAN SELECT * FROM Cargo WHERE port = 'x'")
    let query = fleet.store.query(Cargo.self).where(\.$port == "x")
    func details() throws -> [String] {
      try explanation.rows().compactMap { row in
        if case .text(let text) = row["detail"] { text.withoutTableWord } else { nil }
      }
    }
    for _ in 0..<2 {
      #expect(try details() == ["SCAN Cargo"])
      #expect(try query.explain().steps[0].index == nil)
      try fleet.store.sql("CREATE INDEX ports ON Cargo (port)").run()
      #expect(try details() == ["SEARCH Cargo USING INDEX ports (port=?)"])
      #expect(try query.explain().steps[0].index == "ports")
      try fleet.store.sql("DROP INDEX ports").run()
    }
  }

  @Test func anAdvisedIndexIsUsed() throws {
    let plan = try plan("SELECT * FROM Cargo WHERE port = 'x' AND class > 3")
    #expect(
      plan.suggestions.map(\.declaration)
        == ["static var indexes: [MagicIndex<Cargo>] { [MagicIndex(\\.$port, \\.$class)] }"])
    try fleet.store.sql("CREATE INDEX advised ON Cargo (port, class)").run()
    let better = try self.plan("SELECT * FROM Cargo WHERE port = 'x' AND class > 3")
    #expect(better.steps[0].index == "advised")
    #expect(better.suggestions.isEmpty)
  }
}
