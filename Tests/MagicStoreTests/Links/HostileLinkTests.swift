import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Join rows whose owner or target is not an integer: SQLite stores a value that an INTEGER column
/// cannot convert unchanged, and sorts 1.5 between 1 and 2. Such a row has no owner or no member.
@Suite struct HostileLinkTests {
  let scratch = Scratch()

  fileprivate struct Leaf: MagicObject {
    @MagicValue var name: String = ""

    init() {}
    init(_ name: String) { self.name = name }
  }

  fileprivate struct Branch: MagicObject {
    @PrimaryMagicValue var number: Int = 0
    @MagicValue var list: [Leaf] = []
    @MagicValue var set: MagicalSet<Leaf> = []
    @MagicValue var named: [String: Leaf] = [:]

    /// The members of its collections.
    var names: [[String]] {
      [
        list.map(\.name), set.map(\.name).sorted(),
        named.sorted { $0.key < $1.key }.map { $0.key + $0.value.name },
      ]
    }
  }

  fileprivate struct Twig: MagicObject {
    @PrimaryMagicValue var number: Int = 0
    @MagicValue var twigs: [Twig] = []
  }

  /// Four branches with the leaves a and b each.
  private func makeBranches() throws {
    try scratch.using { store throws in
      let leaves = ["a", "b", "c"].map { Leaf($0) }
      try store.update(contentsOf: leaves)
      for number in 1...4 {
        let branch = Branch()
        branch.number = number
        branch.list = [leaves[0], leaves[1]]
        branch.set = [leaves[0], leaves[1]]
        branch.named = ["k": leaves[0], "l": leaves[1]]
        try store.update(branch)
      }
    }
  }

  private func change(_ sql: String) throws {
    try scratch.change("PRAGMA foreign_keys = OFF; \(sql)")
  }

  private static let whole = [["a", "b"], ["a", "b"], ["ka", "lb"]]

  /// Expects that branches have their members, fetched in a range and one by one.
  private func expectWhole(at location: SourceLocation = #_sourceLocation) throws {
    try scratch.using { store throws in
      let all = try store.object(of: Branch.self)
      #expect(
        all.map(\.names) == Array(repeating: Self.whole, count: 4), sourceLocation: location)
      for number in 1...4 {
        let one = try store.object(of: Branch.self, primary: number)
        #expect(one.names == Self.whole, sourceLocation: location)
      }
      try store.transaction { transaction in
        let all = try transaction.object(of: Branch.self)
        #expect(all.map(\.names).allSatisfy { $0 == Self.whole }, sourceLocation: location)
      }
    }
  }

  /// SQL literals that sort before, between and after the owners.
  private static let owners = [
    "1.5", "0.5", "2.999", "4.25", "-1e300", "9.3e18", "1e300", "'1x'", "'4x'",
    "x'31'", "''",
  ]

  @Test(arguments: owners) func aJoinRowWhoseOwnerIsNotAnIntegerHasNoOwner(_ owner: String) throws {
    try makeBranches()
    try change(
      """
      INSERT INTO "magic_Branch.list" VALUES (\(owner), 1, 3), (\(owner), 99999999, 1);
      INSERT INTO "magic_Branch.set" VALUES (\(owner), 1), (\(owner), 3);
      INSERT INTO "magic_Branch.named" VALUES (\(owner), 'a', 3), (\(owner), 'z', 1)
      """)
    try expectWhole()
    try scratch.using { store throws in
      #expect(try !store.verify().isSound)
      // Saves of owners do not change it.
      let branches = try store.object(of: Branch.self)
      for branch in branches { branch.list.append(branch.list[0]) }
      try store.update(contentsOf: branches)
      #expect(try store.object(of: Branch.self).map(\.list.count) == [3, 3, 3, 3])
    }
    let raw = try scratch.raw()
    let left = "SELECT count(*) FROM \"magic_Branch.list\" WHERE typeof(owner) <> 'integer'"
    #expect(try raw.integer(left) == 2)
  }

  @Test(arguments: ["list", "set", "named"], ["1.5", "'1x'", "x'31'", "1e300"])
  func aMemberThatIsNotAnIntegerIsABrokenReference(_ property: String, _ target: String) throws {
    try makeBranches()
    let key = property == "set" ? "" : property == "list" ? "7, " : "'z', "
    try change("INSERT INTO \"magic_Branch.\(property)\" VALUES (2, \(key)\(target))")
    try scratch.using { store throws in
      func expectBroken(_ body: () throws -> Void) {
        let error = #expect(throws: MagicError.self) { try body() }
        #expect(error?.code == .brokenReference)
        #expect(error?.property == property)
        #expect(error?.message == "Row 2 refers to a value that is not a row ID.")
      }
      expectBroken { _ = try store.object(of: Branch.self) }
      expectBroken { _ = try store.object(of: Branch.self, primary: 2) }
      #expect(try store.object(of: Branch.self, primary: 1).names == Self.whole)
      #expect(try !store.verify().isSound)
    }
  }

  /// As real numbers these two row IDs are equal.
  @Test func ownersBeyondTheExactRealsAreDistinguished() throws {
    try makeBranches()
    try change(
      """
      INSERT INTO "Branch" ("z_index", "number")
      VALUES (9007199254740992, 5), (9007199254740993, 6);
      INSERT INTO "magic_Branch.list"
      VALUES (9007199254740992, 1, 1), (9007199254740993, 1, 2), (9007199254740993, 2, 3)
      """)
    try scratch.using { store throws in
      let last = try store.object(of: Branch.self).suffix(2)
      #expect(last.map { $0.list.map(\.name) } == [["a"], ["b", "c"]])
    }
  }

  @Test func ownersThatAreNotIntegersAreNotFetchedThroughSuchTargets() throws {
    try scratch.using { store throws in
      let twigs = (0..<200).map { number in
        let twig = Twig()
        twig.number = number
        return twig
      }
      for (twig, next) in zip(twigs, twigs.dropFirst()) { twig.twigs = [next] }
      try store.update(twigs[0])
    }
    for owner in ["150.5", "'200x'", "x'00'"] {
      try change(
        """
        INSERT INTO "magic_Twig.twigs" VALUES (\(owner), 1, 1);
        INSERT INTO "magic_Twig.twigs" VALUES (\(owner), 2, 2)
        """)
    }
    try scratch.using { store throws in
      var twig = try store.object(of: Twig.self, primary: 0)
      var count = 1
      while let next = twig.twigs.first {
        #expect(twig.twigs.count == 1)
        twig = next
        count += 1
      }
      #expect(count == 200)
    }
    try change("UPDATE \"magic_Twig.twigs\" SET target = '200x' WHERE owner = 199")
    try scratch.using { store throws in
      #expect(throws: MagicError.self) { _ = try store.object(of: Twig.self, primary: 0) }
    }
  }

  fileprivate struct Band: MagicObject {
    @MagicValue(.onDelete(.cascade)) var leaves: [Leaf] = []
  }

  @Test func aCascadeDeletesOnlyRowsThatEqualItsTarget() throws {
    try scratch.using { store throws in
      let leaves = ["a", "b"].map { Leaf($0) }
      try store.update(contentsOf: leaves)
      let band = Band()
      band.leaves = [leaves[1]]
      try store.update(band)
    }
    try change("INSERT INTO \"magic_Band.leaves\" VALUES (1, 1, 1.5)")
    try scratch.using { store throws in
      #expect(try store.removeAll(of: Band.self) == 1)
      #expect(try store.object(of: Leaf.self).map(\.name) == ["a"])
      #expect(try store.verify().findings == [])
    }
  }
}
