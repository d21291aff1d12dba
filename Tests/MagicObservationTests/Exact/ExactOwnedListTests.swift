import EngineConformance
import MagicData
import Testing

/// A change of an owned list is a change of its owner, and of no member.
@Suite(.everyEngine) struct ExactOwnedListTests {
  struct Bead: MagicObject {
    @MagicValue var name: String = ""

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Chain: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var title: String = ""
    @MagicValue(.owned) var beads: [Bead] = []

    init() {}
    init(_ id: String, _ names: String...) {
      self.id = id
      beads = names.map { Bead($0) }
    }
  }

  private func chained() async throws -> (MagicData, Chain, Chain) {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (one, two) = (Chain("a", "1", "2", "3"), Chain("b", "4"))
    try await magic.update(contentsOf: [one, two])
    return (magic, one, two)
  }

  @Test func insertionMoveAndRemovalAreReported() async throws {
    let (magic, one, _) = try await chained()
    let members = magic.changes(of: Bead.self)
    let texts = try await reported(Chain.self, in: magic) {
      one.beads.insert(one.beads.removeLast(), at: 0)
      try await $0.update(one)
      let last = one.beads.removeLast()
      try await $0.update(one)
      one.beads.append(last)
      try await $0.update(one)
      one.beads[0].name = "new"
      one.title = "t"
      try await $0.update(one)
    }
    #expect(texts == ["1:beads", "1:beads", "1:beads", "1:title"])
    #expect(await MagicObservationTests.texts(members) == ["3:name"])
  }

  @Test func aMemberThatMovesChangesBothOwners() async throws {
    let (magic, one, two) = try await chained()
    let texts = try await reported(Chain.self, in: magic) {
      two.beads.append(one.beads[1])
      try await $0.update(two)
      try await $0.remove(two.beads[0])
    }
    #expect(texts == ["1:beads 2:beads", "2:beads"])
  }

  @Test func aNewAndARemovedOwnerAreNoOtherChanges() async throws {
    let (magic, one, two) = try await chained()
    let members = magic.changes(of: Bead.self)
    let texts = try await reported(Chain.self, in: magic) {
      try await $0.update(Chain("c", "5"))
      try await $0.remove(one)
      try await $0.removeAll(of: Bead.self)
    }
    #expect(texts == ["+3", "-1", "2:beads 3:beads"])
    #expect(await MagicObservationTests.texts(members) == ["+5", "-1 -2 -3 -4 -5"])
    _ = two
  }

  @Test(.requires(.queries)) func resultsThatDependOnAListAreReadAgain() async throws {
    let (magic, one, two) = try await chained()
    var lists = magic.query(Chain.self).values().makeAsyncIterator()
    var counts = magic.values { tx in
      try tx.query(Chain.self).where { $0.$beads.count > 1 }.count()
    }.makeAsyncIterator()
    #expect(try await lists.next()?.map(\.beads.count) == [3, 1])
    #expect(try await counts.next() == 1)
    two.beads.append(one.beads[0])
    try await magic.update(two)
    #expect(try await lists.next()?.map(\.beads.count) == [2, 2])
    #expect(try await counts.next() == 2)
  }

  @Test(.requires(.rawSQL)) func membersOfRawSQLAreReported() async throws {
    let (magic, _, _) = try await chained()
    let texts = try await reported(Chain.self, in: magic) {
      try await $0.sql(
        """
        UPDATE Bead SET "Chain.beads owner" = 2, "Chain.beads position" = 9 WHERE z_index = 1
        """
      ).run()
      try await $0.sql("UPDATE Bead SET name = 'x'").run()
      try await $0.sql("DELETE FROM Chain WHERE id = 'b'").run()
      try await $0.sql("UPDATE Bead SET \"Chain.beads owner\" = NULL WHERE z_index = 2").run()
    }
    #expect(texts == ["1:beads 2:beads", "-2", "1:beads"])
  }

  @Test(.requires(.rawSQL)) func rawSQLThatReadsAListIsRunAgain() async throws {
    let (magic, _, _) = try await chained()
    var rows = magic.sql(
      "SELECT owner, target FROM \(links: \Chain.$beads) ORDER BY owner, position"
    )
    .values(Int.self, Int.self).makeAsyncIterator()
    #expect(try await rows.next()?.count == 4)
    try await magic.update(Chain("c", "5", "6"))
    #expect(try await rows.next()?.count == 6)
  }
}
