import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// A type with a primary and relationships to types with primaries.
private struct Pallet: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var weight: Int
  @OptionMagicValue var base: Pallet?
  @MagicValue var items: [Item] = []
  @MagicValue var spares: MagicalSet<Item> = []
  @MagicValue var named: [String: Item] = [:]
  @MagicValue(.owned) var seals: [Seal] = []

  init() {}
  init(_ id: String, _ weight: Int) { (self.id, self.weight) = (id, weight) }
}

private struct Item: MagicObject, Hashable {
  @PrimaryMagicValue var code: String
  @MagicValue var note: Int
  @MagicVersion var version: Int

  init() {}
  init(_ code: String, _ note: Int) { (self.code, self.note) = (code, note) }

  static func == (first: Item, second: Item) -> Bool { first.code == second.code }
  func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// A type whose primary is the row ID, with a relationship.
private struct Seal: MagicObject {
  @PrimaryMagicValue var number: Int
  @OptionMagicValue var owner: Item?

  init() {}
  init(_ number: Int, _ owner: Item?) { (self.number, self.owner) = (number, owner) }
}

/// Many objects that are saved with one call. Their stored rows can be looked up together.
@Suite(.everyEngine) struct IdentifiedGraphTests {
  let scratch = Scratch()

  /// Saves the objects of several calls on the tested engine and on SQLite, and compares what is stored.
  ///
  /// - Parameter isOneByOne: whether SQLite saves each object with a call of its own. The collections of
  ///   a graph are written at the end of a call, so that this would be another result.
  private func expectEqual<Model: MagicObject>(
    _ seed: Int, calls: Int, isOneByOne: Bool, make: (inout SeededRandom) -> [Model],
    describe: (MagicData) async throws -> [String]
  ) async throws {
    let tested = try await MagicData.onTestedEngine(path: scratch.file())
    let reference = try await MagicData(path: scratch.file("reference"))
    var (random, same) = (SeededRandom(UInt64(seed)), SeededRandom(UInt64(seed)))
    for _ in 0..<calls {
      let (first, second) = (make(&random), make(&same))
      let code = await errorCode { try await tested.update(contentsOf: first) }
      let expected = await errorCode {
        try await reference.transaction { session in
          guard isOneByOne else {
            try session.update(contentsOf: second)
            return
          }
          for object in second { try session.update(object) }
        }
      }
      #expect(code == expected)
      let (stored, wanted) = (try await describe(tested), try await describe(reference))
      #expect(stored == wanted, "\(stored.difference(from: wanted))")
      let problems = try await tested.verify()
      #expect(problems.isSound, "\(problems)")
    }
    await tested.close()
    await reference.close()
  }

  private func errorCode(_ body: () async throws -> Void) async -> MagicError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? MagicError)?.code ?? .closed }
  }

  @Test(arguments: 0..<12) func objectsWithAPrimaryAndAKeyAreSavedAsOneByOne(seed: Int) async throws
  {
    try await expectEqual(
      seed, calls: 6, isOneByOne: true,
      make: { random in
        (0..<Int.random(in: 1...40, using: &random)).map { _ in
          let id = Int.random(in: 0..<60, using: &random)
          return Invite(
            Int.random(in: 0..<30, using: &random), id % 7 == 0 ? "x" : "y",
            "\(Int.random(in: 0..<9, using: &random))", id: "\(id)")
        }
      },
      describe: { magic in
        try await magic.object(of: Invite.self).map {
          "\($0.id) \($0.event) \($0.guest) \($0.answer) \($0.version)"
        }.sorted()
      })
  }

  @Test func objectsThatAreFoundByTheirKeysGetTheStoredPrimaries() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let stored = (0..<100).map { Invite($0, "event", "answer", id: "stored \($0)") }
    try await magic.update(contentsOf: stored)
    let others = (0..<150).map { Invite($0, "event", "changed", id: "new \($0)") }
    try await magic.update(contentsOf: others)
    #expect(others.map(\.id) == (0..<150).map { $0 < 100 ? "stored \($0)" : "new \($0)" })
    #expect(others.prefix(100).map(\.zIndex) == stored.map(\.zIndex))
    #expect(try await magic.query(Invite.self).where(\.$answer == "changed").count() == 150)
    await magic.close()
  }

  @Test(arguments: 0..<12) func graphsWithPrimariesAreSavedAsOnSQLite(seed: Int) async throws {
    try await expectEqual(
      seed, calls: 5, isOneByOne: false, make: pallets,
      describe: { magic in
        let pallets = try await magic.object(of: Pallet.self).map { pallet -> String in
          let named = pallet.named.map { "\($0.key)=\($0.value.code)" }.sorted()
          let spares = pallet.spares.map(\.code).sorted()
          let own = "\(pallet.id) \(pallet.weight) \(pallet.base?.id ?? "-")"
          return
            "\(own) \(pallet.items.map(\.code)) \(spares) \(named) \(pallet.seals.map(\.number))"
        }
        let items = try await magic.object(of: Item.self).map {
          "\($0.code) \($0.note) \($0.version)"
        }
        let seals = try await magic.object(of: Seal.self).map {
          "\($0.number) \($0.owner?.code ?? "-")"
        }
        return pallets.sorted() + items.sorted() + seals.sorted()
      })
  }

  /// Returns pallets of which some have equal primaries, which refer to each other.
  private func pallets(_ random: inout SeededRandom) -> [Pallet] {
    func item() -> Item {
      let number = Int.random(in: 0..<40, using: &random)
      return Item(number == 0 ? "" : "\(number)", Int.random(in: 0..<5, using: &random))
    }
    var pallets: [Pallet] = []
    for _ in 0..<Int.random(in: 1...25, using: &random) {
      let pallet = Pallet(
        "\(Int.random(in: 0..<30, using: &random))", Int.random(in: 0..<5, using: &random))
      if Bool.random(using: &random) { pallet.base = pallets.randomElement(using: &random) }
      pallet.items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in item() }
      // The members of a set are saved in any order, so that only one of them may have other values.
      if Bool.random(using: &random) { pallet.spares = [item(), Item("spare", 1)] }
      if Bool.random(using: &random) { pallet.named = ["a": item(), "b": Item("named", 1)] }
      let numbers = Set(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
          Int.random(in: 1..<50, using: &random)
        })
      pallet.seals = numbers.sorted().map { Seal($0, Bool.random(using: &random) ? item() : nil) }
      pallets.append(pallet)
    }
    return pallets
  }

  @Test(arguments: 0..<12) func graphsWithKeysAreSavedAsOnSQLite(seed: Int) async throws {
    try await expectEqual(
      seed, calls: 5, isOneByOne: false,
      make: { random in
        var folders: [Folder] = []
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          let folder = Folder(
            "\(Int.random(in: 0..<25, using: &random))", size: Int.random(in: 0..<9, using: &random)
          )
          if Bool.random(using: &random) { folder.parent = folders.randomElement(using: &random) }
          folder.children = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            Folder("\(Int.random(in: 0..<25, using: &random))", level: 1)
          }
          folders.append(folder)
        }
        return folders
      },
      describe: { magic in
        try await magic.object(of: Folder.self).map {
          "\($0.name) \($0.level) \($0.size) \($0.parent?.name ?? "-") \($0.children.map(\.name))"
        }.sorted()
      })
  }

  @Test func aKeyWithAToOneIsFoundInOneCall() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = (0..<40).map { Subscriber("\($0)") }
    try await magic.update(contentsOf: people)
    for isMuted in [false, true] {
      try await magic.update(
        contentsOf: (0..<200).map {
          // Each second one refers to a new object, whose primary is stored.
          Subscription(
            $0.isMultiple(of: 2) ? people[$0 % 40] : Subscriber("\($0 % 40)"), "\($0 / 40)",
            isMuted: isMuted)
        })
    }
    let stored = try await magic.object(of: Subscription.self)
    #expect(stored.count == 200 && stored.allSatisfy(\.isMuted))
    #expect(try await magic.object(of: Subscriber.self).count == 40)
  }

  @Test func anAutoIncrementPrimaryIsThatOfAnotherObjectOfTheCall() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (1...4).map { Seal($0, nil) })
    var seals = (0..<10).map { _ in Seal() }
    for seal in seals { seal.owner = Item("first", 1) }
    seals += (5...14).map { Seal($0, Item("second", 1)) }
    try await magic.update(contentsOf: seals)
    let stored = try await magic.object(of: Seal.self)
    #expect(Set(stored.map(\.number)).count == stored.count)
    for number in 5...14 {
      #expect(stored.first { $0.number == number }?.owner?.code == "second")
    }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func anInsertedRowHasTheKeyOfALaterObject() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let act = Act("a", 1, "saved")
    try await magic.update(act)
    try await magic.query(Act.self).delete()
    act.title = "changed"
    let others = (0..<20).map { Act("b", $0) }
    try await magic.update(contentsOf: others + [act, Act("a", 1, "last")], ifMissing: .insert)
    let stored = try await magic.object(of: Act.self)
    #expect(stored.count == 21 && stored.last?.title == "last")
    await magic.close()
  }

  @Test func anObjectThatIsBeingChangedIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let acts = (0..<20).map { Act("a", $0) }
    await #expect(throws: MagicError.self) {
      try await acts[19].artist.changeAndSave(magic, acts)
    }
    #expect(try await magic.object(of: Act.self).isEmpty)
    await magic.close()
  }
}

extension String {
  /// Changes a property, and saves objects before the change ends.
  fileprivate mutating func changeAndSave(_ magic: MagicData, _ acts: [Act]) async throws {
    self = "b"
    try await magic.update(contentsOf: acts)
  }
}
