import MagicRelations
import MagicStore
import SQLiteStore
import Testing

/// Rows that differ from the assumption of a save, in SQLite.
@Suite struct CorrectedRowTests {
  private let store: MagicObjectStore

  init() throws { store = try MagicObjectStore.open(.temporary) }

  @Test func anObjectThatOccursTwiceInACallUpdatesTheRowWithItsPrimary() throws {
    try store.update(contentsOf: [Tag("a"), Tag("b"), Tag("c")])
    let new = Tag("b")
    let last = Tag("d")
    let rows = try store.update(contentsOf: [new, new, Tag("c"), last])
    #expect(rows.dropLast().map(\.rawValue) == [2, 2, 3])
    #expect(rows.last == last.zIndex)
    #expect(new.zIndex?.rawValue == 2)
  }

  /// A new object whose row is found by other values gets the stored primary.
  @Test func aRollbackKeepsThePrimaryThatWasSetAfterTheRowWasFound() throws {
    struct Failure: Error {}
    try store.update(contentsOf: [Tag("a"), Tag("b")])
    let (changed, unchanged) = (Tag("a"), Tag("b"))
    #expect(throws: Failure.self) {
      try store.transaction { transaction in
        try transaction.update(contentsOf: [changed, unchanged], matching: \.$name)
        #expect(changed.zIndex?.rawValue == 1)
        (changed.name, changed.count) = ("c", 7)
        throw Failure()
      }
    }
    #expect(changed.zIndex == nil && unchanged.zIndex == nil)
    #expect((changed.name, changed.count) == ("c", 7))
    #expect(unchanged.name == "b")
    try store.update(contentsOf: [changed, unchanged])
    #expect(try store.object(of: Tag.self).map(\.name) == ["a", "b", "c"])
    #expect(try store.object(of: Tag.self, primary: "c").count == 7)
  }

  @Test func anObjectWhoseRowWasDeletedIsInsertedOnceIfItOccursTwice() throws {
    let tag = Tag("a")
    try store.update(contentsOf: [tag, Tag("b")])
    try store.transaction { transaction in
      let other = try transaction.object(of: Tag.self, primary: "a")
      try transaction.remove(other)
    }
    tag.count = 5
    let rows = try store.update(contentsOf: [tag, tag, Tag("c")], ifMissing: .insert)
    #expect(rows[0] == rows[1])
    #expect(rows[0] == tag.zIndex)
    #expect(try store.object(of: Tag.self).map(\.name).sorted() == ["a", "b", "c"])
    #expect(try store.object(of: Tag.self, primary: "a").count == 5)
  }

  @Test func anOwnerWhoseRowWasDeletedIsInsertedWithItsMembersOnRequest() throws {
    let (shelf, other) = (Shelf(), Shelf())
    (shelf.tags, shelf.first, shelf.drafts) = ([Tag("a")], Tag("b"), [Draft("c")])
    try store.update(contentsOf: [shelf, other])
    let fetched = try store.object(of: Shelf.self)[0]
    _ = try store.removeAll(of: Shelf.self)
    // A change of members alone needs the row of the owner.
    shelf.drafts.append(Draft("d"))
    let error = #expect(throws: MagicError.self) { try store.update(shelf) }
    #expect(error?.code == .notFound)
    #expect(try store.object(of: Draft.self).map(\.text) == ["c"])
    try store.update(contentsOf: [shelf, fetched], ifMissing: .insert)
    let shelves = try store.object(of: Shelf.self)
    #expect(shelves.map { $0.drafts.map(\.text) } == [["c", "d"], ["c"]])
    #expect(shelves.map { $0.tags.map(\.name) } == [["a"], ["a"]])
    #expect(shelves.map { $0.first?.name } == ["b", "b"])
  }

  @Test func aMemberWhoseRowWasDeletedIsNotInsertedWithItsOwnerOnRequest() throws {
    let shelf = Shelf()
    (shelf.tags, shelf.first) = ([Tag("a")], Tag("b"))
    try store.update(shelf)
    let (set, first) = (shelf.tags, shelf.first)
    _ = try store.removeAll(of: Tag.self)
    for tag in set { tag.count = 1 }
    first?.count = 1
    try store.update(shelf, ifMissing: .insert)
    #expect(try store.object(of: Tag.self).isEmpty)
    #expect(shelf.first == nil && shelf.tags.isEmpty)
  }

  @Test func aNewMemberThatIsCapturedTwiceIsKept() throws {
    try store.update(Tag("a"))
    let new = Tag("a")
    let shelf = Shelf()
    shelf.tags = [new]
    shelf.first = new
    new.count = 3
    try store.update(contentsOf: [shelf, shelf])
    #expect(shelf.tags.count == 1)
    #expect(new.zIndex?.rawValue == 1)
    #expect(try store.object(of: Shelf.self).map { $0.tags.map(\.count) } == [[3]])
  }

  @Test func aPrimaryThatIsAlwaysTheSameUpdatesItsRow() throws {
    let first = Settings()
    first.volume = 1
    try store.update(first)
    let second = Settings()
    second.volume = 2
    try store.update(second)
    #expect(first.zIndex == second.zIndex)
    #expect(try store.object(of: Settings.self).map(\.volume) == [2])
  }

  @Test func aMemberThatSQLDeletedInTheSameTransactionLeavesTheCollection() throws {
    let tag = Tag("a")
    let (first, second) = (Shelf(), Shelf())
    first.tags = [tag]
    try store.transaction { transaction in
      try transaction.update(first)
      _ = try transaction.removeAll(of: Tag.self)
      second.tags = [tag, Tag("b")]
      try transaction.update(second)
    }
    #expect(second.tags.map(\.name) == ["b"])
    #expect(try store.object(of: Shelf.self).map { $0.tags.map(\.name) } == [[], ["b"]])
  }

  @Test func aSaveOfAnOwnerRemovesNoReferenceThatItDidNotWrite() throws {
    let album = Album()
    let song = Tag("a")
    album.songs = [song, Tag("b")]
    try store.update(album)
    let error = #expect(throws: MagicError.self) {
      try store.transaction { transaction in
        let other = try transaction.object(of: Tag.self, primary: "a")
        try transaction.remove(other)
        album.songs.append(Tag("c"))
        try transaction.update(album)
      }
    }
    #expect(error?.code == .stillReferenced)
    #expect(try store.object(of: Tag.self).map(\.name) == ["a", "b"])
  }

  @Test func twoNewObjectsOfOnePrimaryThatReferToEachOtherAreOneRow() throws {
    let (left, right) = (Knot("k"), Knot("k"))
    let middle = Knot("m")
    left.next = middle
    middle.next = right
    right.next = left
    try store.update(left)
    #expect(left.zIndex == right.zIndex)
    let knots = try store.object(of: Knot.self)
    #expect(knots.map(\.name).sorted() == ["k", "m"])
    for knot in knots { #expect(knot.next != nil) }
  }

  @Test func theNextSaveWritesNothingOfAFailedOne() throws {
    try store.transaction { transaction in
      #expect(throws: MagicError.self) {
        try transaction.update(contentsOf: [Draft("x"), Draft()])
      }
      try transaction.update(Draft("y"))
    }
    #expect(try store.object(of: Draft.self).map(\.text) == ["y"])
  }

  @Test func rowsAfterADeletedOneAreWritten() throws {
    let drafts = (0..<200).map { Draft("\($0)") }
    let shelf = Shelf()
    shelf.drafts = drafts
    try store.update(shelf)
    try store.transaction { transaction in
      let all = try transaction.object(of: Draft.self)
      try transaction.remove(contentsOf: [all[3], all[70], all[199]])
    }
    for draft in drafts { draft.text += "!" }
    shelf.drafts.append(Draft("new"))
    try store.update(shelf)
    let texts = (0..<200).filter { ![3, 70, 199].contains($0) }.map { "\($0)!" } + ["new"]
    #expect(shelf.drafts.map(\.text) == texts)
    #expect(try store.object(of: Shelf.self)[0].drafts.map(\.text) == texts)
  }

  @Test func valuesAroundTheSizeLimitOfCopiesAreWrittenCompletely() throws {
    let drafts = [0, 1, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 3 << 20].map {
      Draft(String(repeating: "x", count: $0))
    }
    try store.update(contentsOf: drafts + drafts.map { Draft($0.text) })
    let found = try store.object(of: Draft.self).map(\.text.utf8.count)
    #expect(found == drafts.map(\.text.utf8.count) + drafts.map(\.text.utf8.count))
  }

  @Test func manyOwnersAndTwoInstancesOfOneKeepTheirMembers() throws {
    let shelves = (0..<600).map { number in
      let shelf = Shelf()
      shelf.drafts = [Draft("\(number)")]
      return shelf
    }
    try store.update(contentsOf: shelves)
    let (one, other) = (
      try store.object(of: Shelf.self)[0], try store.object(of: Shelf.self)[0]
    )
    one.drafts.append(Draft("one"))
    other.drafts.append(Draft("other"))
    try store.update(contentsOf: [one] + shelves.dropFirst() + [other])
    #expect(try store.object(of: Shelf.self)[0].drafts.map(\.text) == ["0", "one", "other"])
    #expect(try store.object(of: Shelf.self).allSatisfy { !$0.drafts.isEmpty })
  }
}

// MARK: Models

private struct Tag: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var count: Int = 0

  init() {}
  init(_ name: String) { self.name = name }
}

private struct Draft: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

private struct Shelf: MagicObject {
  @MagicValue var tags: MagicalSet<Tag> = []
  @OptionMagicValue var first: Tag?
  @MagicValue var drafts: [Draft] = []

  init() {}
}

private struct Album: MagicObject {
  @MagicValue(.onDelete(.deny)) var songs: [Tag] = []

  init() {}
}

private struct Knot: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var next: Knot?

  init() {}
  init(_ name: String) { self.name = name }
}

/// A type with a single row.
private struct Only: MagicalPrimaryValue, Codable {
  var name = "only"

  static func makePrimaryValue() -> Only? { Only() }
  var storedValue: String { name }
  init() {}
  init(storedValue: String) { name = storedValue }
}

private struct Settings: MagicObject {
  @PrimaryMagicValue var id: Only
  @MagicValue var volume: Int = 0

  init() {}
}
