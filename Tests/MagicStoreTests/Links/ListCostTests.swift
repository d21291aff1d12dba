import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// The cost of a change of a list depends on the change, not on the length of the list.
@Suite(.everyEngine) struct ListCostTests {
  private static let changes: [@Sendable (inout [Leaf]) -> Void] = [
    { $0.append(Leaf(-1)) },
    { $0.insert(Leaf(-2), at: 0) },
    { $0.insert(Leaf(-3), at: $0.count / 2) },
    { $0.remove(at: $0.count / 2) },
    {
      $0.insert(Leaf(-4), at: 0)
      $0.append(Leaf(-5))
    },
    {
      $0.removeFirst()
      $0.removeLast()
    },
  ]

  /// The cost of every change of a list with this number of members, created by SQL.
  private static func costs(ofListOf count: Int) throws -> [CountedStore.Cost] {
    let counted = try CountedStore()
    let first = Branch("a")
    first.list = [Leaf(0)]
    try counted.store.update(first)
    let raw = try counted.scratch.raw()
    try raw.execute(
      """
      PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN;
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO "Leaf" ("z_index", "number") SELECT i, i FROM n;
      INSERT INTO "magic_Branch.list" ("owner", "position", "target")
      SELECT 1, "z_index" << 24, "z_index" FROM "Leaf" WHERE "z_index" > 1;
      COMMIT
      """)
    raw.close()
    let branch = try counted.store.object(of: Branch.self, primary: "a")
    #expect(branch.list.count == count)
    let costs = try changes.map { change in
      try counted.cost {
        change(&branch.list)
        try counted.store.update(branch)
      }
    }
    let targets = branch.list.map { $0.zIndex?.rawValue ?? -1 }
    let select = try counted.scratch.raw().prepare(
      "SELECT \"target\" FROM \"magic_Branch.list\" WHERE \"owner\" = 1 ORDER BY \"position\"")
    var stored: [Int64] = []
    while try select.step() { stored.append(select.column(0).integer) }
    #expect(stored == targets)
    return costs
  }

  // A million members take minutes in a debug build, mostly for visiting them.
  #if DEBUG
    private static let many = Effort.choose(5_000, long: 100_000)
  #else
    private static let many = 1_000_000
  #endif

  @Test(.requires([.files, .statements]))
  func aChangeOfAMillionMembersCostsAsMuchAsOneOfAThousand() async throws {
    try await onSmallStack {
      let small = try Self.costs(ofListOf: 1_000)
      let large = try Self.costs(ofListOf: Self.many)
      #expect(small.map(\.rows) == large.map(\.rows))
      #expect(small.map(\.rows) == [2, 2, 2, 1, 4, 2])
      for (small, large) in zip(small, large) {
        #expect(small.statements.count == large.statements.count)
        #expect(large.statements.count < 10)
      }
    }
  }

  @Test func twoChangesInOneSaveAreTwoRows() throws {
    let counted = try CountedStore()
    let branch = Branch("a")
    let leaves = (0..<1_002).map(Leaf.init)
    try counted.store.update(contentsOf: leaves)
    branch.list = Array(leaves[..<1_000])
    try counted.store.update(branch)
    branch.list.insert(leaves[1_000], at: 0)
    branch.list.append(leaves[1_001])
    try counted.expectSaving(branch, writes: 2)
    branch.list.swapAt(3, 900)
    // Two members move to other positions.
    try counted.expectSaving(branch, writes: 4)
    branch.list.insert(branch.list[500], at: 0)
    branch.list.append(branch.list[500])
    _ = try counted.costOfSaving(branch)
    let again = try counted.store.object(of: Branch.self, primary: "a")
    #expect(again.list.map(\.number) == branch.list.map(\.number))
  }

  /// The positions of many new members.
  enum Place: CaseIterable {
    case second, front, middle, beforeLast

    func index(_ count: Int) -> Int {
      switch self {
      case .second: 1
      case .front: 0
      case .middle: count / 2
      case .beforeLast: count - 1
      }
    }
  }

  @Test(arguments: Place.allCases)
  func manyMembersInsertedAtOnePositionKeepTheirOrder(place: Place) async throws {
    try await onSmallStack {
      let counted = try CountedStore()
      let branch = Branch("a")
      let pool = (0..<100).map(Leaf.init)
      branch.list = Array(pool[..<50])
      try counted.store.update(branch)
      var numbers = branch.list.map(\.number)
      let inserts = Effort.choose(300, long: 600)
      var rows = 0
      for step in 0..<inserts {
        let leaf = pool[step % 100]
        let index = place.index(numbers.count)
        branch.list.insert(leaf, at: index)
        numbers.insert(leaf.number, at: index)
        let before = rows
        rows += try counted.costOfSaving(branch).rows
        #expect(rows > before || !TestedEngine.current.has(.statements))
      }
      let again = try counted.store.object(of: Branch.self, primary: "a")
      #expect(again.list.map(\.number).suffix(numbers.count) == numbers.suffix(numbers.count))
      #expect(again.list.count % 50 == inserts % 50)
      #expect(rows < inserts * 20)
    }
  }

  @Test func tenThousandInsertsAtOnePositionMoveFewMembers() async throws {
    try await onSmallStack {
      let counted = try CountedStore()
      let branch = Branch("a")
      let pool = (0..<100).map(Leaf.init)
      branch.list = Array(pool[..<3])
      try counted.store.update(branch)
      var numbers = branch.list.map(\.number)
      var rows: [Int] = []
      let steps = Effort.choose(150, long: 500)
      for step in 0..<steps {
        for number in 0..<20 {
          branch.list.insert(pool[(step + number) % 100], at: 1)
          numbers.insert((step + number) % 100, at: 1)
        }
        rows.append(try counted.costOfSaving(branch).rows)
      }
      let again = try counted.store.object(of: Branch.self, primary: "a")
      #expect(again.list.map(\.number) == numbers)
      // The last of them writes no more rows than the first.
      let fifths = stride(from: 0, to: steps, by: steps / 5).map {
        rows[$0..<$0 + steps / 5].reduce(0, +)
      }
      #expect((fifths.max() ?? 0) < 40_000)
      #expect(rows.reduce(0, +) < 100_000)
    }
  }

  @Test func manyMembersAreInsertedBetweenTwoInOneSave() async throws {
    try await onSmallStack {
      let counted = try CountedStore()
      let branch = Branch("a")
      branch.list = (0..<10).map(Leaf.init)
      try counted.store.update(branch)
      let count = Effort.choose(20_000, long: 100_000)
      let many = (0..<count).map { Leaf($0 + 100) }
      branch.list.insert(contentsOf: many, at: 5)
      let cost = try counted.costOfSaving(branch)
      #expect(cost.rows < 2 * count + 100)
      let again = try counted.store.object(of: Branch.self, primary: "a")
      #expect(again.list.map(\.number) == branch.list.map(\.number))
    }
  }
}
