import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Lists whose members have one owner at most.
@Suite(.everyEngine) struct OwnedListTests {
  let scratch = Scratch()

  private typealias Crate = Owned.Crate
  private typealias Part = Owned.Part

  private func parts(_ numbers: ClosedRange<Int>) -> [Part] { numbers.map(Part.init) }

  /// The numbers of the parts in a stored crate.
  private func numbers(_ name: String, in magic: MagicData) async throws -> [Int] {
    try await magic.object(of: Crate.self, primary: name).parts.map(\.number)
  }

  @Test func aListIsStoredAndFetchedInItsOrder() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Crate("a", [Part(3), Part(1), Part(2)]))
    try await magic.update(Crate("b"))
    #expect(try await numbers("a", in: magic) == [3, 1, 2])
    #expect(try await numbers("b", in: magic) == [])
    let crates = try await magic.object(of: Crate.self)
    #expect(crates.map { $0.parts.map(\.number) } == [[3, 1, 2], []])
    try scratch.expectWhole()
  }

  @Test func membersAreInsertedMovedAndRemoved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let crate = Crate("a", parts(1...5))
    try await magic.update(crate)
    crate.parts.insert(Part(10), at: 2)
    crate.parts.remove(at: 0)
    crate.parts.swapAt(0, 4)
    try await magic.update(crate)
    #expect(try await numbers("a", in: magic) == [5, 10, 3, 4, 2])
    crate.parts.reverse()
    try await magic.update(crate)
    #expect(try await numbers("a", in: magic) == [2, 4, 3, 10, 5])
    crate.parts = []
    try await magic.update(crate)
    #expect(try await numbers("a", in: magic) == [])
    #expect(try await magic.query(Part.self).count() == 6)
    try scratch.expectWhole()
  }

  @Test func aMemberMovesToTheOwnerThatIsSavedLast() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Crate("a", parts(1...3)), Crate("b", parts(4...5)))
    try await magic.update(contentsOf: [one, two])
    two.parts.insert(one.parts[1], at: 1)
    try await magic.update(two)
    #expect(try await numbers("a", in: magic) == [1, 3])
    #expect(try await numbers("b", in: magic) == [4, 2, 5])
    // The list in memory has not changed since it was fetched, so a save does not move the member
    // back.
    try await magic.update(one)
    #expect(try await numbers("b", in: magic) == [4, 2, 5])
    // Nor does a removal take it from its new owner.
    one.parts.remove(at: 1)
    try await magic.update(one)
    #expect(try await numbers("a", in: magic) == [1, 3])
    #expect(try await numbers("b", in: magic) == [4, 2, 5])
    one.parts.append(two.parts[0])
    try await magic.update(one)
    #expect(try await numbers("a", in: magic) == [1, 3, 4])
    #expect(try await numbers("b", in: magic) == [2, 5])
    try scratch.expectWhole()
  }

  @Test func twoListsOfOneTypeHaveTheirOwnMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let part = Part(1)
    let (one, two) = (Crate("a", [part]), Crate("b", spares: [part, Part(2)]))
    try await magic.update(contentsOf: [one, two])
    #expect(try await numbers("a", in: magic) == [1])
    let stored = try await magic.object(of: Crate.self, primary: "b")
    #expect(stored.spares.map(\.number) == [1, 2])
    let member = try await magic.object(of: Part.self, primary: 1)
    #expect(try await member.crates.map(\.name).collected() == ["a"])
    #expect(try await member.spareCrates.map(\.name).collected() == ["b"])
  }

  @Test func aMemberThatOccursTwiceIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let part = Part(1)
    let crate = Crate("a", [part, Part(2), part])
    let error = await #expect(throws: MagicError.self) { try await magic.update(crate) }
    #expect(error?.code == .notUnique)
    #expect(error?.type == "Crate")
    #expect(error?.property == "parts")
    #expect(try await magic.query(Part.self).count() == 0)
    crate.parts.removeLast()
    try await magic.update(crate)
    // Another object with the same primary is the same row.
    crate.parts.append(Part(2))
    let second = await #expect(throws: MagicError.self) { try await magic.update(crate) }
    #expect(second?.code == .notUnique)
    #expect(try await numbers("a", in: magic) == [1, 2])
    try scratch.expectWhole()
  }

  @Test func theOwnersOfRemovedMembersAndTheMembersOfRemovedOwners() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Crate("a", parts(1...3)), Crate("b", parts(4...6)))
    try await magic.update(contentsOf: [one, two])
    try await magic.remove(one.parts[1])
    #expect(try await numbers("a", in: magic) == [1, 3])
    try await magic.remove(one)
    #expect(try await magic.query(Part.self).count() == 5)
    // The members have no owner, so that another one can have them.
    let free = try await magic.object(of: Part.self, primary: 1)
    #expect(try await free.crates.count == 0)
    two.parts.append(free)
    try await magic.update(two)
    #expect(try await numbers("b", in: magic) == [4, 5, 6, 1])
    try await magic.removeAll(of: Crate.self)
    #expect(try await magic.query(Part.self).count() == 5)
    try scratch.expectWhole()
  }

  @Test func aCascadeRemovesMembersAtAnyDepth() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let leaf = Owned.Folder("leaf")
    let tree = Owned.Folder(
      "root", [Owned.Folder("x", [Owned.Folder("y", [leaf])]), Owned.Folder("z")])
    try await magic.update(contentsOf: [tree, Owned.Folder("other", [Owned.Folder("w")])])
    let stored = try await magic.object(of: Owned.Folder.self, primary: "root")
    #expect(stored.folders.map(\.name) == ["x", "z"])
    #expect(stored.folders[0].folders[0].folders.map(\.name) == ["leaf"])
    try await magic.remove(stored)
    let names = try await magic.query(Owned.Folder.self).order(by: \.$name).all().map(\.name)
    #expect(names == ["other", "w"])
    try scratch.expectWhole()
  }

  @Test func aFolderThatContainsItselfIsRemoved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Owned.Folder("1"), Owned.Folder("2"))
    (one.folders, two.folders) = ([two], [one])
    try await magic.update(one)
    try await magic.remove(one)
    #expect(try await magic.query(Owned.Folder.self).count() == 0)
    one.folders = []
    two.folders = []
    try scratch.expectWhole()
  }

  @Test func denyRefusesTheRemovalOfMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let safe = Owned.Safe("s", [Owned.Coin(1), Owned.Coin(2)])
    try await magic.update(safe)
    let error = await #expect(throws: MagicError.self) { try await magic.remove(safe.parts[0]) }
    #expect(error?.code == .stillReferenced)
    #expect(error?.type == "Safe")
    #expect(error?.property == "parts")
    await #expect(throws: MagicError.self) { try await magic.removeAll(of: Owned.Coin.self) }
    await #expect(throws: MagicError.self) {
      try await magic.query(Owned.Coin.self).where(\.$value == 1).delete()
    }
    #expect(try await magic.query(Owned.Coin.self).count() == 2)
    let coin = safe.parts.removeFirst()
    try await magic.update(safe)
    try await magic.remove(coin)
    // The owner can be removed, and its members then.
    let other = safe.parts[0]
    try await magic.transaction { tx in
      try tx.remove(safe)
      try tx.remove(other)
    }
    #expect(try await magic.query(Owned.Coin.self).count() == 0)
    try scratch.expectWhole()
  }

  @Test func aMemberThatAnotherWriterHasRemovedIsDropped() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: parts(1...2))
    let (one, copy) = (
      try await magic.object(of: Part.self, primary: 1),
      try await magic.object(of: Part.self, primary: 1)
    )
    try await magic.remove(copy)
    let crate = Crate("a", [one, try await magic.object(of: Part.self, primary: 2)])
    try await magic.update(crate)
    #expect(crate.parts.map(\.number) == [2])
    #expect(try await numbers("a", in: magic) == [2])
    try scratch.expectWhole()
  }

  @Test func queriesFilterByMembersAndOwners() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.query(Crate.self).where { $0.$parts.count > 0 }.count() == 0)
    let crates = [Crate("a", parts(1...3)), Crate("b", [Part(4)]), Crate("c")]
    try await magic.update(contentsOf: crates)
    func names(
      _ predicate: (MagicRow<Crate>) -> MagicPredicate<Crate>
    ) async throws -> [String] {
      try await magic.query(Crate.self).where(predicate).order(by: \.$name).all().map(\.name)
    }
    #expect(try await names { $0.$parts.count > 1 } == ["a"])
    #expect(try await names { $0.$parts.isEmpty } == ["c"])
    #expect(try await names { $0.$parts.contains { $0.$number > 2 } } == ["a", "b"])
    #expect(
      try await names { $0.$parts.contains { $0.$crates.contains { $0.$name == "b" } } } == ["b"])
    let part = crates[0].parts[1]
    #expect(try await names { $0.$parts.contains(part) } == ["a"])
    #expect(try await names { $0.$spares.contains(part) } == [])
    try await magic.update(Part(9))
    let parts = magic.query(Part.self)
    #expect(try await parts.where { $0.$crates.count == 1 }.count() == 4)
    #expect(try await parts.where { $0.$crates.isEmpty }.all().map(\.number) == [9])
    let members = try await parts.where { $0.$crates.contains { $0.$name == "b" } }.all()
    #expect(members.map(\.number) == [4])
  }

  @Test func aLazyListIsReadInPagesAndSet() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let titles = (0..<1_100).map { "photo \($0)" }
    try await magic.update(Owned.Album("a", titles.map(Owned.Photo.init)))
    let album = try await magic.object(of: Owned.Album.self, primary: "a")
    #expect(try await album.photos.count == 1_100)
    #expect(try await album.photos.get().map(\.title) == titles)
    var streamed: [String] = []
    for try await photo in try album.photos.createAsyncStream() { streamed.append(photo.title) }
    #expect(streamed == titles)
    #expect(try await album.photos.randomValue(in: 7..<8)?.title == "photo 7")
    let kept = try await album.photos.get().suffix(2)
    album.photos.set(Array(kept) + [Owned.Photo("new")])
    try await magic.update(album)
    let again = try await magic.object(of: Owned.Album.self, primary: "a")
    #expect(try await again.photos.get().map(\.title) == ["photo 1098", "photo 1099", "new"])
    #expect(try await magic.query(Owned.Photo.self).count() == 1_101)
    try scratch.expectWhole()
  }

  @Test func aRolledBackTransactionRestoresTheOwners() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Crate("a", parts(1...3)), Crate("b", parts(4...5)))
    try await magic.update(contentsOf: [one, two])
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await magic.transaction { tx in
        two.parts += one.parts
        try tx.update(two)
        try tx.remove(one)
        throw Stop()
      }
    }
    #expect(try await numbers("a", in: magic) == [1, 2, 3])
    #expect(try await numbers("b", in: magic) == [4, 5])
    try await magic.update(two)
    #expect(try await numbers("b", in: magic) == [4, 5, 1, 2, 3])
    #expect(try await numbers("a", in: magic) == [])
    try scratch.expectWhole()
  }

  @Test func membersAreSavedBeforeAndAfterTheirOwner() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let all = parts(1...4)
    try await magic.update(contentsOf: Array(all[0...1]))
    try await magic.update(Crate("a", all))
    try await magic.update(Crate("b", [Part(2), Part(5)]))
    #expect(try await numbers("a", in: magic) == [1, 3, 4])
    #expect(try await numbers("b", in: magic) == [2, 5])
    // The crate replaces the row with its primary value, and its members.
    try await magic.update(Crate("a", [Part(6), Part(3)]))
    #expect(try await numbers("a", in: magic) == [6, 3])
    #expect(try await magic.query(Part.self).count() == 6)
    try scratch.expectWhole()
  }

  @Test(.requires(.rawSQL)) func rawSQLReadsAListAsAJoinTable() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let owners = magic.sql("SELECT owner FROM \(links: \Crate.$parts)")
    #expect(try await owners.rows(Int.self).isEmpty)
    try await magic.update(contentsOf: [Crate("a", parts(1...2)), Crate("b", [Part(3)])])
    try await magic.update(Part(4))
    let rows = try await magic.sql(
      """
      SELECT c.name, p.number FROM \(table: Crate.self) c \
      JOIN \(links: \Crate.$parts) l ON l.owner = c.z_index \
      JOIN \(table: Part.self) p ON p.z_index = l.target ORDER BY l.owner, l.position
      """
    ).rows(String.self, Int.self)
    #expect(rows.map { "\($0)\($1)" } == ["a1", "a2", "b3"])
    let free = "z_index NOT IN (SELECT target FROM \(links: \Crate.$parts))" as MagicSQL
    try await magic.transaction { tx throws in
      #expect(try tx.sql("SELECT number FROM Part WHERE \(sql: free)").rows(Int.self) == [4])
      #expect(try tx.sql("DELETE FROM Part WHERE \(sql: free)").run() == 1)
    }
    #expect(try await magic.query(Part.self).count() == 3)
    let error = await #expect(throws: MagicError.self) {
      try await magic.sql("DELETE FROM \(links: \Crate.$parts)").run()
    }
    #expect(error?.code == .invalidQuery)
  }

  private func expectInvalid<Model: MagicObject>(
    _ object: Model, in magic: MagicData
  ) async throws {
    let error = await #expect(throws: MagicError.self) { try await magic.update(object) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.message.contains("Only an array of objects can be owned") == true)
  }

  @Test func onlyAListCanBeOwned() async throws {
    struct WithSet: MagicObject {
      @MagicValue(.owned) var parts: MagicalSet<Part> = []
    }
    struct WithOne: MagicObject {
      @OptionMagicValue(.owned) var part: Part?
    }
    struct WithText: MagicObject {
      @MagicValue(.owned) var text: String = ""
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await expectInvalid(WithSet(), in: magic)
    try await expectInvalid(WithOne(), in: magic)
    try await expectInvalid(WithText(), in: magic)
  }
}

extension AsyncSequence {
  fileprivate func collected() async throws -> [Element] {
    var elements: [Element] = []
    for try await element in self { elements.append(element) }
    return elements
  }
}
