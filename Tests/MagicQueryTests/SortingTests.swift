import EngineConformance
import MagicQuery
import MagicTestSupport
import Testing

private struct Runner: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String = ""
  @OptionMagicValue var seconds: Double?
  @OptionMagicValue var club: String?

  init() {}
  init(_ id: Int, _ name: String, _ seconds: Double? = nil) {
    (self.id, self.name, self.seconds) = (id, name, seconds)
  }
}

/// Objects that are sorted in memory.
@Suite(.everyEngine) struct SortingTests {
  @Test func objectsHaveTheOrderOfAProperty() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: [Runner(1, "Mo"), Runner(2, "Abe"), Runner(3, "Zoe")])
    let runners = try test.store.object(of: Runner.self)
    #expect(runners.sorted(by: \.name).map(\.id) == [2, 1, 3])
    #expect(runners.sorted(by: \.name, .descending).map(\.id) == [3, 1, 2])
    #expect(runners.sorted(by: \.name.utf8.count).map(\.name).first == "Mo")
  }

  @Test func equalValuesKeepTheirOrder() throws {
    var random = SeededRandom(7)
    let runners = (0..<500).map { Runner($0, "\(Int.random(in: 0..<20, using: &random))") }
    let expected = runners.map(\.name).enumerated().sorted {
      ($0.element, $0.offset) < ($1.element, $1.offset)
    }
    #expect(runners.sorted(by: \.name).map(\.id) == expected.map(\.offset))
    let reversed = runners.map(\.name).enumerated().sorted {
      ($1.element, $0.offset) < ($0.element, $1.offset)
    }
    #expect(runners.sorted(by: \.name, .descending).map(\.id) == reversed.map(\.offset))
  }

  /// Texts with equal beginnings, of several scripts, with composed and decomposed letters, NUL and no bytes.
  @Test(arguments: ["", "Person number ", "https://example.org/", "e\u{301}", "\u{0}\u{0}"])
  func textsHaveTheOrderOfStrings(_ beginning: String) {
    var random = SeededRandom(11)
    let parts = [
      "a", "b", "Z", "", "\u{0}", "aaaaaaaa", "é", "\u{2FF}", "\u{300}", "e\u{301}", "\u{301}", "ſ",
      "ʰ", "ж", "中", "👩‍👧", " ",
    ]
    for kinds in [3, 6, 8, 10, parts.count] {
      let runners = (0..<400).map { id in
        let count = Int.random(in: 0..<6, using: &random)
        let end = (0..<count).map { _ in parts[Int.random(in: 0..<kinds, using: &random)] }
        return Runner(id, id % 50 == 0 ? "" : beginning + end.joined())
      }
      let ascending = runners.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
      #expect(runners.sorted(by: \.name).map(\.id) == ascending.map(\.id))
      let descending = runners.sorted { ($1.name, $0.id) < ($0.name, $1.id) }
      #expect(runners.sorted(by: \.name, .descending).map(\.id) == descending.map(\.id))
    }
  }

  @Test func anEmptyArrayStaysEmpty() {
    #expect([Runner]().sorted(by: \.name).isEmpty)
    #expect([Runner]().sorted(by: \.seconds).isEmpty)
  }

  @Test func nilIsBeforeEachValue() {
    let runners = [Runner(1, "", 9.5), Runner(2, ""), Runner(3, "", 8), Runner(4, "")]
    #expect(runners.sorted(by: \.seconds).map(\.id) == [2, 4, 3, 1])
    #expect(runners.sorted(by: \.seconds, .descending).map(\.id) == [1, 3, 2, 4])
  }

  @Test func optionalTextsHaveTheOrderOfStrings() {
    let runners = (0..<200).map { id in
      let runner = Runner(id, "")
      runner.club = id % 3 == 0 ? nil : "club \(id * 37 % 20)"
      return runner
    }
    func club(_ id: Int) -> (Int, String) {
      (runners[id].club == nil ? 0 : 1, runners[id].club ?? "")
    }
    let ascending = (0..<200).sorted { (club($0).0, club($0).1, $0) < (club($1).0, club($1).1, $1) }
    #expect(runners.sorted(by: \.club).map(\.id) == ascending)
    let descending = (0..<200).sorted {
      (club($1).0, club($1).1, $0) < (club($0).0, club($0).1, $1)
    }
    #expect(runners.sorted(by: \.club, .descending).map(\.id) == descending)
  }

  @Test func aSortedQueryAndASortedArrayAreTheSame() throws {
    let test = try TestStore()
    try test.store.update(
      contentsOf: (0..<100).map { Runner($0, "r", $0 % 7 == 0 ? nil : Double($0 * 37 % 50)) })
    let runners = try test.store.object(of: Runner.self)
    for order in [MagicOrder.ascending, .descending] {
      let fetched = try test.store.query(Runner.self).order(by: \.$seconds, order).all()
      #expect(runners.sorted(by: \.seconds, order).map(\.id) == fetched.map(\.id))
    }
  }
}
