import EngineConformance
import MagicRelations
import MagicStore
import Testing

/// Elements that are saved or removed while they are in a set.
@Suite(.everyEngine) struct LaterChangeTests {
  private let store: MagicObjectStore

  init() throws { store = try makeStore() }

  @Test func anElementIsFoundAfterItWasSaved() throws {
    let notes = (0..<10).map { Note("\($0)") }
    let set = MagicalSet(notes)
    #expect(set.contains(notes[0]))
    try store.update(contentsOf: notes)
    for note in notes {
      #expect(set.contains(note))
      #expect(set.contains(try store.again(note)))
    }
    let other = Note()
    try store.update(other)
    #expect(!set.contains(other))
  }

  @Test func anElementIsFoundAfterItsRowWasRemoved() throws {
    let notes = (0..<10).map { Note("\($0)") }
    try store.update(contentsOf: notes)
    var set = MagicalSet(notes)
    let fetched = try store.again(notes[3])
    #expect(set.contains(fetched))
    try store.remove(notes[3])
    #expect(set.contains(notes[3]))
    #expect(!set.contains(fetched))
    set.insert(notes[3])
    #expect(set.count == 10)
    set.remove(notes[3])
    #expect(set.count == 9)
  }

  @Test func anElementIsFoundAfterItWasRemovedAndSavedAgain() throws {
    let note = Note("a")
    let set: MagicalSet = [note, Note("b")]
    for _ in 0..<3 {
      try store.update(note)
      #expect(set.contains(try store.again(note)))
      try store.remove(note)
      #expect(set.contains(note))
    }
  }

  @Test func anElementIsFoundAfterItMovedToAnotherStore() throws {
    let guest = Guest("Anna")
    try store.update(guest)
    let set: MagicalSet = [guest]
    let inFirst = try store.again(guest)
    #expect(set.contains(inFirst))
    let second = try makeStore()
    try second.update(guest)
    #expect(set.contains(try second.again(guest)))
    #expect(!set.contains(inFirst))
  }

  @Test func aFailedSaveChangesNothing() throws {
    let (draft, unfinished) = (Draft("a"), Draft())
    draft.text = ""
    let set: MagicalSet = [draft, unfinished]
    #expect(throws: MagicError.self) { try store.update(contentsOf: [draft, unfinished]) }
    #expect(draft.zIndex == nil)
    #expect(set.contains(draft))
    #expect(set.contains(unfinished))
    #expect(set.contains(Draft("a")))
  }

  @Test func aDefaultPrimaryOfTheSaveIsFound() throws {
    let guests = [Guest(), Guest()]
    let set = MagicalSet(guests)
    #expect(!set.contains(Guest("Anna")))
    try store.update(contentsOf: guests)
    #expect(set.contains(Guest(guests[0].name)))
    #expect(set.contains(Guest(guests[1].name)))
  }

  @Test func elementsThatBecameOneRowAreKeptUntilDuplicatesAreRemoved() throws {
    let guests = [Guest(), Guest(), Guest("Ben")]
    var set = MagicalSet(guests)
    guests[0].name = "Anna"
    guests[0].table = 1
    guests[1].name = "Anna"
    guests[1].table = 2
    for guest in guests { try store.update(guest) }
    #expect(guests[0].isSameRow(as: guests[1]))
    #expect(set.count == 3)
    set.deduplication()
    #expect(set.count == 2)
    #expect(set.first { $0.name == "Anna" }?.table == 2)
    #expect(set.contains(guests[0]))
    #expect(set.contains(Guest("Ben")))
  }

  @Test func theLastInsertedOfDuplicatesIsReturned() throws {
    let guests = (0..<6).map { _ in Guest() }
    var set = MagicalSet(guests)
    // The last element replaces the first, and the fourth is inserted again.
    set.remove(guests[0])
    set.insert(guests[3])
    for (table, guest) in guests.enumerated() {
      guest.name = table == 1 ? "Ben" : "Anna"
      guest.table = table
    }
    set.deduplication()
    #expect(set.count == 2)
    #expect(set.first { $0.name == "Anna" }?.table == 3)
    #expect(set.contains(Guest("Ben")))
  }

  @Test func removingDuplicatesFromASetWithoutAnyChangesNothing() {
    var set: MagicalSet = [Guest("Anna"), Guest("Ben")]
    set.deduplication()
    #expect(set.map(\.name) == ["Anna", "Ben"])
    var empty = MagicalSet<Guest>()
    empty.deduplication()
    #expect(empty.isEmpty)
  }

  @Test func removingRemovesAllElementsThatBecameTheObject() throws {
    let guests = [Guest(), Guest(), Guest("Ben")]
    var set = MagicalSet(guests)
    guests[0].name = "Anna"
    guests[1].name = "Anna"
    for guest in guests { try store.update(guest) }
    #expect(set.remove(guests[0]) != nil)
    #expect(!set.contains(guests[1]))
    #expect(set.map(\.name) == ["Ben"])
  }
}
