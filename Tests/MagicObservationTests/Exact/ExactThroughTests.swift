import EngineConformance
import MagicData
import Testing

/// A change of a join object is a change of its owner.
@Suite(.everyEngine) struct ExactThroughTests {
  struct Track: MagicObject {
    @PrimaryMagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Mix: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicThrough(\Spin.$mix, \Spin.$track, orderedBy: \.$place) var tracks: [Track]

    init() {}
    init(_ id: String, _ names: String...) {
      self.id = id
      if !names.isEmpty { tracks = names.map(Track.init) }
    }
  }

  struct Spin: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var mix: Mix?
    @MagicValue(.onDelete(.cascade)) var track: Track
    @MagicValue var place: Int = 0
    @OptionMagicValue var note: String?

    init() {}
  }

  private func mixed() async throws -> (MagicData, Mix, Mix) {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (one, two) = (Mix("a", "1", "2"), Mix("b"))
    try await magic.update(one)
    try await magic.update(two)
    return (magic, one, two)
  }

  @Test func changesOfJoinObjectsAreReported() async throws {
    let (magic, one, two) = try await mixed()
    let spins = magic.changes(of: Spin.self)
    let texts = try await reported(Mix.self, in: magic) {
      one.tracks.append(Track("3"))
      try await $0.update(one)
      one.tracks.swapAt(0, 2)
      try await $0.update(one)
      let first = try await $0.object(of: Spin.self)[0]
      first.note = "loud"
      try await $0.update(first)
      first.mix = two
      try await $0.update(first)
      first.mix = nil
      try await $0.update(first)
      try await $0.remove(first)
      try await $0.remove(one.tracks[1])
    }
    #expect(texts == ["1:tracks", "1:tracks", "1:tracks 2:tracks", "2:tracks", "1:tracks"])
    let found = await MagicObservationTests.texts(spins)
    #expect(found == ["+3", "2:place 3:place", "1:note", "1:mix", "1:mix", "-1", "-2"])
  }

  @Test func aNewAndARemovedOwnerAreNoOtherChanges() async throws {
    let (magic, one, _) = try await mixed()
    let texts = try await reported(Mix.self, in: magic) {
      try await $0.update(Mix("c", "5"))
      try await $0.remove(one)
    }
    #expect(texts == ["+3", "-1"])
  }

  @Test(.requires(.queries)) func resultsThatDependOnJoinObjectsAreReadAgain() async throws {
    let (magic, one, two) = try await mixed()
    var lists = magic.query(Mix.self).values().makeAsyncIterator()
    var counts = magic.values { tx in
      try tx.query(Mix.self).where { $0.$tracks.count > 0 }.count()
    }.makeAsyncIterator()
    #expect(try await lists.next()?.map(\.tracks.count) == [2, 0])
    #expect(try await counts.next() == 1)
    two.tracks.append(one.tracks[0])
    try await magic.update(two)
    #expect(try await lists.next()?.map(\.tracks.count) == [2, 1])
    #expect(try await counts.next() == 2)
    let spin = try await magic.object(of: Spin.self)[0]
    spin.mix = nil
    try await magic.update(spin)
    #expect(try await lists.next()?.map(\.tracks.count) == [1, 1])
  }

  @Test func changesOfATableThatIsCreatedLaterAreReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let texts = try await reported(Mix.self, in: magic) {
      try await $0.update(Mix("a"))
      let mix = try await $0.object(of: Mix.self, primary: "a")
      mix.tracks = [Track("1")]
      try await $0.update(mix)
    }
    #expect(texts == ["+1", "1:tracks"])
  }
}
