import EngineConformance
import Foundation
import Logging
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Many objects in one transaction: all of them or none.
@Suite(.everyEngine) struct BatchTests {
  let scratch = Scratch()

  @Test func aBatchIsOneTransaction() async throws {
    let recorder = Recorder<String>()
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger()))
    try await magic.update(Note("first"))
    recorder.clear()
    let zIndexes = try await magic.update(contentsOf: (0..<100).map { Note("\($0)") })
    #expect(zIndexes.count == 100)
    if TestedEngine.current.has(.statements) {
      #expect(recorder.all.filter { $0.hasPrefix("BEGIN") }.count == 1)
      #expect(recorder.all.filter { $0.hasPrefix("COMMIT") }.count == 1)
    }
    #expect(try await magic.object(of: Note.self).dropFirst().compactMap(\.zIndex) == zIndexes)
  }

  @Test func anEmptyBatchIsAccepted() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.update(contentsOf: [Note]()) == [])
    try await magic.remove(contentsOf: [Note]())
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func oneBadObjectStoresNone() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let tickets = (0..<10).map { Ticket("\($0)") } + [Ticket()]
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: tickets)
    }
    #expect(error?.code == .missingValue)
    #expect(error?.property == "title")
    #expect(try await magic.object(of: Ticket.self).isEmpty)
    #expect(tickets.allSatisfy { $0.zIndex == nil && $0.number == 0 })

    tickets[10].title = "mended"
    try await magic.update(contentsOf: tickets)
    #expect(tickets.map(\.number) == Array(1...11))
    #expect(try await magic.object(of: Ticket.self).map(\.title) == tickets.map(\.title))
  }

  @Test func changesOfAFailedBatchAreWrittenByTheNextSave() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = (0..<5).map { Person(id: "\($0)", name: "old") }
    try await magic.update(contentsOf: people)
    let fetched = try await magic.object(of: Person.self)
    for person in fetched { person.name = "new" }
    people[0].age = 50
    let batch = fetched + [people[0], Person()]
    await #expect(throws: MagicError.self) { try await magic.update(contentsOf: batch) }
    #expect(try await magic.object(of: Person.self).allSatisfy { $0.name == "old" && $0.age == 3 })

    try await magic.update(contentsOf: fetched + [people[0]])
    let stored = try await magic.object(of: Person.self)
    #expect(stored.map(\.name) == Array(repeating: "new", count: 5))
    #expect(stored[0].age == 50)
  }

  @Test func aFailedBatchDoesNotChangeAStoredPrimary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, bob) = (Person(id: "ada", name: "Ada"), Person(id: "bob", name: "Bob"))
    try await magic.update(contentsOf: [ada, bob])
    let zIndex = bob.zIndex
    bob.id = "ada"
    let new = Person(id: "new", name: "New")
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: [new, bob])
    }
    #expect(error?.code == .notUnique)
    #expect(new.zIndex == nil)
    #expect(bob.zIndex == zIndex)
    #expect(bob.id == "ada")
    bob.id = "bea"
    try await magic.update(contentsOf: [new, bob])
    #expect(try await magic.object(of: Person.self).map(\.id) == ["ada", "bea", "new"])
  }

  @Test func anObjectThatOccursTwiceInABatchIsSavedOnce() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    let ticket = Ticket("t")
    let person = Person(id: "p", name: "P")
    let notes = try await magic.update(contentsOf: [note, Note("b"), note])
    let tickets = try await magic.update(contentsOf: [ticket, ticket, Ticket("u"), ticket])
    let people = try await magic.update(
      contentsOf: [person, person, Person(id: "p", name: "Q")])
    #expect(notes[0] == notes[2])
    #expect(Set(tickets).count == 2)
    #expect(Set(people).count == 1)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "b"])
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [1, 2])
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Q"])
    #expect(ticket.number == 1)
  }

  @Test func insertsAndUpdatesOfABatchRunInTheirOrder() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let old = Note("old")
    try await magic.update(old)
    old.text = "changed"
    let zIndexes = try await magic.update(contentsOf: [Note("x"), old, Note("y")])
    #expect(zIndexes[1] == old.zIndex)
    #expect(zIndexes[0] < zIndexes[2])
    #expect(try await magic.object(of: Note.self).map(\.text) == ["changed", "x", "y"])
  }

  @Test func aBatchRemovesAllObjectsOrNone() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let notes = (0..<5).map { Note("\($0)") }
    try await magic.update(contentsOf: notes)
    let error = await #expect(throws: MagicError.self) {
      try await magic.remove(contentsOf: notes + [Note("unsaved")])
    }
    #expect(error?.code == .notSaved)
    #expect(try await magic.object(of: Note.self).count == 5)
    #expect(notes.allSatisfy { $0.zIndex != nil })
    try await magic.remove(contentsOf: notes.prefix(3))
    #expect(try await magic.object(of: Note.self).map(\.text) == ["3", "4"])
    #expect(notes.map { $0.zIndex == nil } == [true, true, true, false, false])
  }

  @Test func removingAnObjectTwiceInOneBatchIsNotSaved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    try await magic.update(note)
    let error = await #expect(throws: MagicError.self) {
      try await magic.remove(contentsOf: [note, note])
    }
    #expect(error?.code == .notSaved)
    #expect(try await magic.object(of: Note.self).count == 1)
    #expect(note.zIndex != nil)
  }
}
