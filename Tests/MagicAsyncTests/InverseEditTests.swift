import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Edits of inverse relationships.
@Suite(.everyEngine) struct InverseEditTests {
  struct Tag: MagicObject {
    @MagicValue var name: String
    @ReverseMagicValue(\Note.$tags) var notes: AsyncReverseMagicSet<Note>
    @ReverseMagicValue(\Note.$main) var mainOf: AsyncReverseMagicSet<Note>
    @ReverseMagicValue(\Note.$marks) var markedIn: AsyncReverseMagicSet<Note>
    init() {}
    init(_ name: String) { self.name = name }
  }

  /// A type whose relationships are fetched with their owner, and refer to objects that have
  /// relationships themselves.
  struct Note: MagicObject {
    @MagicValue var text: String
    @MagicValue var tags: [Tag] = []
    @MagicValue var marks: MagicalSet<Tag> = []
    @OptionMagicValue var main: Tag?
    @OptionMagicValue var parent: Note?
    @ReverseMagicValue(\Note.$parent) var children: AsyncReverseMagicSet<Note>
    init() {}
    init(_ text: String) { self.text = text }
  }

  final class Box: MagicObject, @unchecked Sendable {
    @MagicValue var name: String = "box"
    @ReverseMagicValue(\Shelf.$boxes) var shelves: AsyncReverseMagicSet<Shelf>
    init() {}
  }

  final class Shelf: MagicObject, @unchecked Sendable {
    @MagicValue(.owned) var boxes: [Box] = []
    init() {}
  }

  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> MagicData {
    try await MagicData.open(scratch.file(), recorder)
  }

  private func note(_ magic: MagicData, _ text: String) async throws -> Note {
    try #require(try await magic.query(Note.self).where(\.$text == text).first())
  }

  private func tag(_ magic: MagicData, _ name: String = "t") async throws -> Tag {
    try #require(try await magic.query(Tag.self).where(\.$name == name).first())
  }

  @Test(.requires(.queries)) func anUnsavedObjectIsInsertedIntoUnsavedAndSavedOwners() async throws
  {
    let magic = try await open()
    let saved = Note("saved")
    saved.tags = [Tag("other")]
    try await magic.update(saved)
    let (tag, new) = (Tag("t"), Note("new"))
    try tag.notes.insert(saved)
    try tag.notes.insert(new)
    try tag.markedIn.insert(saved)
    try tag.mainOf.insert(new)
    #expect(saved.tags.map(\.name) == ["other"])
    try await magic.update(tag)
    #expect(!tag.hasChanges && !saved.hasChanges && !new.hasChanges)
    #expect(saved.tags.map(\.name) == ["other", "t"])
    #expect(new.main?.name == "t")
    let (first, second) = (try await note(magic, "saved"), try await note(magic, "new"))
    #expect(first.tags.map(\.name) == ["other", "t"])
    #expect(first.marks.map(\.name) == ["t"])
    #expect(second.tags.map(\.name) == ["t"])
    #expect(second.main?.name == "t")
    #expect(try await tag.notes.count == 2)
    #expect(try await tag.notes.contains(saved))
    #expect(try await !tag.markedIn.contains(new))
    #expect(try await tag.mainOf.contains(second))
    #expect(try await !tag.mainOf.contains(saved))
    #expect(try await !tag.notes.contains(Note("unsaved")))
    recorder.clear()
    try await magic.update(tag)
    #expect(recorder.writes.isEmpty)
    await magic.close()
  }

  @Test(.requires(.queries)) func aFetchedObjectIsInsertedAndRemoved() async throws {
    let magic = try await open()
    try await magic.update(Tag("t"))
    try await magic.update(Note("n"))
    let (tag, note) = (try await tag(magic), try await note(magic, "n"))
    #expect(!tag.hasChanges && !tag.$notes.hasChanged)
    try tag.notes.insert(note)
    try tag.mainOf.insert(note)
    #expect(tag.hasChanges && tag.$notes.hasChanged && !tag.$markedIn.hasChanged)
    #expect(tag.changedProperties == [])
    #expect(try await tag.notes.count == 0)
    try await magic.update(tag)
    #expect(!tag.hasChanges)
    #expect(try await self.note(magic, "n").main?.name == "t")
    #expect(try await tag.notes.contains(note))
    try tag.notes.remove(note)
    try tag.mainOf.remove(note)
    try tag.markedIn.remove(note)
    try await magic.update(tag)
    let stored = try await self.note(magic, "n")
    #expect(stored.tags.isEmpty && stored.main == nil)
    #expect(note.tags.isEmpty && note.main == nil)
    // A to-one that refers to another object is not changed.
    let other = Tag("other")
    try other.mainOf.insert(note)
    try await magic.update(other)
    try tag.mainOf.remove(note)
    try await magic.update(tag)
    #expect(try await self.note(magic, "n").main?.name == "other")
    await magic.close()
  }

  @Test(.requires(.queries)) func lazyRelationshipsAreEditedWithoutLoading() async throws {
    let magic = try await open()
    let artist = Artist("Ada")
    try await magic.update(
      Album("A", by: artist, tracks: (0..<600).map { Track("\($0)") }))
    try await magic.update(Track("t"))
    let album = try await magic.object(of: Album.self)[0]
    let track = try #require(try await magic.query(Track.self).where(\.$title == "t").first())
    try track.albums.insert(album)
    try track.bonusOf.insert(album)
    recorder.clear()
    try await magic.update(track)
    #expect(recorder.work.count < 12, "\(recorder.work)")
    #expect(try await album.tracks.count == 601)
    #expect(try await track.albums.contains(album))
    recorder.clear()
    #expect(try await track.bonusOf.contains(album))
    recorder.expectRan(1)
    try track.albums.remove(album)
    try await magic.update(track)
    #expect(try await album.tracks.count == 600)
    #expect(try await !track.albums.contains(album))

    let (ben, new) = (Artist("Ben"), Album("B", by: artist))
    try ben.albums.insert(album)
    try ben.produced.insert(album)
    try ben.albums.insert(new)
    try await magic.update(ben)
    #expect(try await album.artist.get().name == "Ben")
    #expect(try await new.artist.get().name == "Ben")
    #expect(try await ben.albums.contains(album))
    try artist.produced.remove(album)
    try await magic.update(artist)
    #expect(try await album.producer?.get().name == "Ben")
    let again = try await magic.object(of: Artist.self, primary: "Ben")
    try again.produced.remove(album)
    try await magic.update(again)
    #expect(album.producer == nil)
    #expect(try await !ben.produced.contains(album))
    await magic.close()
  }

  @Test func whatCannotBeEditedThrows() async throws {
    let magic = try await open()
    let track = Track("t")
    let album = Album("A", by: Artist("Ada"))
    await expect(.invalidSchema) { try track.namedIn.insert(album) }
    await expect(.invalidSchema) { try track.namedIn.remove(album) }
    await expect(.missingValue) { try Artist("Ben").albums.remove(album) }
    let none: AsyncReverseMagicSet<Album> = []
    await expect(.notSaved) { try none.insert(album) }
    #expect(try await !none.contains(album))
    try await magic.update(track)
    #expect(!album.isSaved)
    try await magic.update(album)
    #expect(try await !track.namedIn.contains(album))
    album.named.set(["t": track])
    try await magic.update(album)
    #expect(try await track.namedIn.contains(album))
    await magic.close()
  }

  @Test(.requires(.queries)) func aRollbackKeepsTheEditAndRevertDiscardsIt() async throws {
    struct Failure: Error {}
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    try await magic.update(note)
    try tag.notes.insert(note)
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.update(tag)
        throw Failure()
      }
    }
    #expect(!tag.isSaved)
    #expect(try await self.note(magic, "n").tags.isEmpty)
    try await magic.transaction { transaction in
      try transaction.update(tag)
      try transaction.update(tag)
    }
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["t"])
    #expect(note.tags.count == 1)
    try tag.notes.insert(note)
    try tag.mainOf.insert(note)
    tag.revert()
    #expect(!tag.hasChanges)
    try await magic.update(tag)
    #expect(try await self.note(magic, "n").tags.count == 1)
    #expect(note.main == nil)
    await magic.close()
  }

  @Test(.requires(.queries)) func anOwnerThatIsSavedInTheSameCallGetsTheEdit() async throws {
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    note.tags = [Tag("other")]
    try tag.notes.insert(note)
    try await magic.update(note, tag)
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["other", "t"])
    #expect(!note.hasChanges)
    // The owner also refers to the object.
    let (second, owner) = (Tag("second"), Note("o"))
    owner.marks = [second]
    try second.notes.insert(owner)
    try second.mainOf.insert(owner)
    try await magic.update(owner)
    let stored = try await self.note(magic, "o")
    #expect(stored.tags.map(\.name) == ["second"])
    #expect(stored.marks.count == 1)
    #expect(stored.main?.name == "second")
    #expect(try await magic.query(Tag.self).count() == 3)
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
  }

  @Test(.requires(.queries)) func manyObjectsAreSavedWithTheirEdits() async throws {
    let magic = try await open()
    let note = Note("n")
    try await magic.update(note)
    let tags = (0..<300).map { Tag("\($0)") }
    for tag in tags { try tag.notes.insert(note) }
    try await magic.update(contentsOf: tags)
    #expect(try await self.note(magic, "n").tags.count == 300)
    let fetched = try await magic.query(Tag.self).all()
    for tag in fetched { try tag.notes.remove(note) }
    let session = magic.session()
    session.add(contentsOf: fetched)
    try await session.commit()
    #expect(try await self.note(magic, "n").tags.isEmpty)
    await magic.close()
  }

  @Test(.requires(.queries)) func aTreeIsBuiltFromItsLeaves() async throws {
    let magic = try await open()
    var top = Note("0")
    let first = top
    for index in 1..<5000 {
      let next = Note("\(index)")
      try top.children.insert(next)
      top = next
    }
    try await magic.update(first)
    #expect(try await magic.query(Note.self).count() == 5000)
    #expect(try await top.children.count == 0)
    #expect(try await magic.query(Note.self).where { $0.$parent.$text == "0" }.count() == 1)
    await magic.close()
  }

  @Test func objectsOfClassesAndOwnedLists() async throws {
    let magic = try await open()
    let (box, first, second) = (Box(), Shelf(), Shelf())
    try box.shelves.insert(first)
    try await magic.update(box)
    #expect(first.boxes.count == 1)
    try box.shelves.insert(second)
    try await magic.update(box)
    #expect(second.boxes.first === box)
    #expect(try await box.shelves.contains(second))
    #expect(try await !box.shelves.contains(first))
    #expect(try await box.shelves.count == 1)
    await magic.close()
  }

  @Test(.requires(.queries)) func aDeletedObjectIsNotFoundAndKeepsItsEdits() async throws {
    let magic = try await open()
    let note = Note("n")
    try await magic.update(note)
    try await magic.update(Tag("t"))
    let (tag, same) = (try await tag(magic), try await tag(magic))
    try tag.notes.insert(note)
    try await magic.remove(same)
    await expect(.notFound) { try await magic.update(tag) }
    await expect(.notFound) { try await magic.update(contentsOf: [tag, Tag("other")]) }
    #expect(note.tags.isEmpty && tag.hasChanges)
    try await magic.update(tag, ifMissing: .insert)
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["t"])
    #expect(!tag.hasChanges)
    await magic.close()
  }

  @Test(.requires(.queries)) func aDeletedOwnerIsNotSavedAgain() async throws {
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    try await magic.update(note)
    try tag.notes.insert(note)
    try await magic.remove(note)
    try await magic.update(tag)
    #expect(try await magic.query(Note.self).count() == 0)
    #expect(try await tag.notes.count == 0)
    #expect(!tag.hasChanges)
    await magic.close()
  }

  @Test(.requires(.queries)) func anOwnerWhoseQueryExcludesTheRelationshipMustBeRefreshed()
    async throws
  {
    let magic = try await open()
    let (stored, other) = (Note("n"), Tag("other"))
    stored.tags = [other]
    stored.main = other
    try await magic.update(stored)
    try await magic.update(Tag("t"))
    let tag = try await tag(magic)
    func bareNote() async throws -> Note {
      try #require(
        try await magic.query(Note.self).excluding(\.$tags).excluding(\.$main).first())
    }
    let note = try await bareNote()
    try tag.notes.insert(note)
    await expect(.missingValue) { try await magic.update(tag) }
    #expect(tag.hasChanges && !note.hasChanges)
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["other"])
    try await magic.refresh(note)
    try await magic.update(tag)
    #expect(!tag.hasChanges)
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["other", "t"])
    let second = try await bareNote()
    try tag.notes.remove(second)
    try other.mainOf.remove(second)
    await expect(.missingValue) { try await magic.update(tag) }
    await expect(.missingValue) { try await magic.update(other) }
    // A to-one is set without its value.
    tag.revert()
    try tag.mainOf.insert(second)
    try await magic.update(tag)
    let result = try await self.note(magic, "n")
    #expect(result.tags.map(\.name) == ["other", "t"] && result.main?.name == "t")
    await magic.close()
  }

  @Test(.requires(.queries)) func aToOneThatRefersToAnotherObjectIsNotWritten() async throws {
    let magic = try await open()
    let (note, tag) = (Note("n"), Tag("t"))
    note.main = Tag("first")
    try await magic.update(note, tag)
    let same = try await self.note(magic, "n")
    same.main = Tag("second")
    try await magic.update(same)
    try tag.mainOf.remove(note)
    try await magic.update(tag)
    #expect(!note.hasChanges)
    #expect(try await self.note(magic, "n").main?.name == "second")
    await magic.close()
  }

  @Test(.requires(.queries)) func aRefreshDiscardsTheEditAndARollbackRestoresIt() async throws {
    struct Failure: Error {}
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    try await magic.update(tag, note)
    try tag.notes.insert(note)
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.refresh(tag)
        #expect(!tag.hasChanges)
        throw Failure()
      }
    }
    #expect(tag.hasChanges)
    try await magic.refresh(tag)
    #expect(!tag.hasChanges)
    try await magic.update(tag)
    #expect(note.tags.isEmpty)
    #expect(try await self.note(magic, "n").tags.isEmpty)
    await magic.close()
  }

  @Test(.requires(.queries)) func aCancelledSaveKeepsTheEdit() async throws {
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    try await magic.update(note)
    try tag.notes.insert(note)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await magic.update(tag)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.query(Tag.self).count() == 0)
    try await magic.update(tag)
    #expect(try await self.note(magic, "n").tags.map(\.name) == ["t"])
    await magic.close()
  }

  @Test func concurrentEditsAreAllStoredOnce() async throws {
    let magic = try await open()
    let track = Track("t")
    try await magic.update(track)
    let albums = (0..<40).map { Album("\($0)", by: Artist("Ada")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for album in albums[task * 10..<task * 10 + 10] {
            try track.albums.insert(album)
            try await magic.update(track)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(!track.hasChanges)
    #expect(try await track.albums.count == 40)
    for album in try await magic.object(of: Album.self) {
      #expect(try await album.tracks.count == 1)
    }
    await magic.close()
  }

  @Test func aSavedEditIsReleased() async throws {
    let magic = try await open()
    weak var remains: Shelf?
    let box = Box()
    do {
      let shelf = Shelf()
      remains = shelf
      try box.shelves.insert(shelf)
      try await magic.update(box)
    }
    #expect(remains == nil)
    do {
      let shelf = Shelf()
      remains = shelf
      try box.shelves.insert(shelf)
      box.revert()
    }
    #expect(remains == nil)
    await magic.close()
  }

  @Test func anInsertIsObserved() async throws {
    let magic = try await open()
    let (tag, note) = (Tag("t"), Note("n"))
    try await magic.update(note)
    var changes = magic.changes(of: Note.self).makeAsyncIterator()
    try tag.notes.insert(note)
    try await magic.update(tag)
    let change = try #require(await changes.next())
    #expect(change.hasChanged(\.$tags))
    await magic.close()
  }
}
