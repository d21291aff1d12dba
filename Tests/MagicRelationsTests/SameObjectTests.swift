import EngineConformance
import MagicRelations
import MagicStore
import Testing

@Suite(.everyEngine) struct SameObjectTests {
  @Test func copiesOfAnInstanceAreTheSameObject() {
    let note = Note("a")
    let copy = note
    let set: MagicalSet = [note]
    #expect(set.contains(copy))
    #expect(!set.contains(Note("a")))
  }

  @Test func aClassInstanceIsTheSameObjectAsItself() throws {
    let page = Page()
    var set: MagicalSet = [page, Page(), page]
    #expect(set.count == 2)
    try makeStore().update(page)
    #expect(set.contains(page))
    set.remove(page)
    #expect(set.count == 1)
  }

  @Test func unsavedObjectsOfOnePrimaryValueAreTheSame() {
    let set: MagicalSet = [Guest("Anna")]
    #expect(set.contains(Guest("Anna")))
    #expect(!set.contains(Guest("Ben")))
  }

  @Test func primariesOfTheSameLettersInOtherUnicodeFormsAreDifferent() throws {
    let store = try makeStore()
    let guests: MagicalSet = [Guest("caf\u{E9}"), Guest("cafe\u{301}")]
    #expect(guests.count == 2)
    try store.update(contentsOf: Array(guests))
    #expect(try store.object(of: Guest.self).count == 2)
  }

  @Test func aSavedAndAnUnsavedObjectOfOnePrimaryValueAreTheSame() throws {
    let store = try makeStore()
    let saved = Guest("Anna")
    try store.update(saved)
    #expect(MagicalSet([saved]).contains(Guest("Anna")))
    #expect(MagicalSet([Guest("Anna")]).contains(saved))
    #expect(MagicalSet([Guest("Anna")]).contains(try store.again(saved)))
  }

  @Test func anUnassignedPrimaryEqualsNoOtherAndStaysUnassigned() throws {
    var set: MagicalSet = [Guest(), Guest()]
    let guest = Guest()
    #expect(!set.contains(guest))
    set.insert(guest)
    #expect(set.contains(guest))
    #expect(set.count == 3)
    let schema = try ObjectSchema.of(Guest.self)
    for guest in set {
      let name = schema.withReference(to: guest) {
        schema.columns[0].assignedPrimary($0.property(0))
      }
      #expect(name == nil)
    }
  }

  @Test func unassignedAutoIncrementPrimariesAreNotEqual() throws {
    let tickets: MagicalSet = [Ticket(), Ticket()]
    #expect(tickets.count == 2)
    #expect(tickets.allSatisfy { $0.number == 0 })
    try makeStore().update(contentsOf: Array(tickets))
    #expect(Set(tickets.map(\.number)).count == 2)
    for ticket in tickets {
      #expect(tickets.contains(ticket))
      #expect(tickets.contains(Ticket(ticket.number)))
    }
  }

  @Test func twoInstancesOfOneRowAreTheSame() throws {
    let store = try makeStore()
    let note = Note("a")
    try store.update(note)
    let fetched = try store.again(note)
    #expect(MagicalSet([note]).contains(fetched))
    #expect(MagicalSet([fetched]).contains(note))
    #expect(MagicalSet([fetched]).contains(try store.again(note)))
  }

  @Test func rowsOfOneStoreAreDifferentAlsoWithEqualPrimaries() throws {
    let store = try makeStore()
    let (anna, ben) = (Guest("Anna"), Guest("Ben"))
    try store.update(contentsOf: [anna, ben])
    ben.name = "Anna"
    let set: MagicalSet = [anna, ben]
    #expect(set.count == 2)
    #expect(!MagicalSet([anna]).contains(ben))
  }

  @Test func rowsOfTwoStoresAreDifferent() throws {
    let notes = [Note("a"), Note("a")]
    for note in notes { try makeStore().update(note) }
    #expect(notes[0].zIndex == notes[1].zIndex)
    #expect(MagicalSet(notes).count == 2)
    let guests = [Guest("Anna"), Guest("Anna")]
    for guest in guests { try makeStore().update(guest) }
    #expect(MagicalSet(guests).count == 2)
  }

  @Test func objectsOfATypeWithoutATableAreAllDifferent() {
    var set: MagicalSet = [Empty(), Empty()]
    set.insert(Empty())
    #expect(set.count == 3)
    #expect(!set.contains(Empty()))
    #expect(set.remove(Empty()) == nil)
    set.deduplication()
    #expect(set.count == 3)
  }
}
