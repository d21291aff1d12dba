import DebianPackages
import Testing

@Suite struct DependencyTests {
  @Test func itemsAndAlternativesAreSeparated() throws {
    let list = try #require(Dependency.list(in: "libc6 (>= 2.36), exim4|mail-transport-agent , b"))
    #expect(
      list.map { $0.alternatives.map(\.name) } == [
        ["libc6"], ["exim4", "mail-transport-agent"], ["b"],
      ])
  }

  @Test func architectureAndVersionsBelongToAName() throws {
    let demand = try #require(Dependency.list(in: " python3:any(>=3.11.2-1~ ) "))[0].alternatives[0]
    #expect(demand.name == "python3")
    #expect(demand.architecture == "any")
    #expect(demand.versions?.relation == .atLeast)
    #expect(demand.versions?.version == "3.11.2-1~")
  }

  @Test(arguments: ["", " ", ",", " , ,"])
  func aListMayBeEmpty(_ text: String) {
    #expect(Dependency.list(in: text) == [])
  }

  @Test func extraCommasAreIgnored() {
    #expect(Dependency.list(in: "a, , b,")?.count == 2)
  }

  @Test(arguments: [
    "a b", "a |", "| a", "a | | b", "(= 1)", "a (1)", "a (=> 1)", "a (=)", "a (= 1", "a = 1)",
    "a (= 1) b", "a (= 1 2)", "a ((= 1))", "a:", ":any", "a:any:any", "a [amd64]", "ä", "-a",
    "a (== 1)", "a (<<< 1)", "a (><1)",
  ])
  func anInvalidListIsRefused(_ text: String) {
    #expect(Dependency.list(in: text) == nil)
  }

  @Test(arguments: [
    ("<<", "1100"), ("<=", "1110"), ("<", "1110"), ("=", "0010"), (">=", "0011"), (">", "0011"),
    (">>", "0001"),
  ])
  func aRangeContainsVersions(_ sign: String, _ expected: String) throws {
    let versions = ["1", "2~", "2", "2.0.1"].map(DebianVersion.init)
    let list = try #require(Dependency.list(in: "a (\(sign) 2)"))
    let range = try #require(list[0].alternatives[0].versions)
    let found = versions.map { range.contains($0) ? "1" : "0" }.joined()
    #expect(found == expected)
  }

  @Test func theErrorOfAnInvalidListNamesItsField() throws {
    let stanza = try #require(stanzas("Package: a\nDepends: b,\n c\nRecommends: b c\n").first)
    #expect(try stanza.dependencies("Depends") == "b, c")
    #expect(try stanza.dependencies("Suggests") == nil)
    let reason = MalformedStanza.Reason.invalidValue(
      field: "Recommends", expected: "a list of packages")
    #expect(throws: MalformedStanza(line: 4, reason: reason)) {
      try stanza.dependencies("Recommends")
    }
  }
}
