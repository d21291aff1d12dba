import EngineConformance
import Foundation
import Logging
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// The rows that a save inserts, updates, or does not write.
@Suite(.everyEngine) struct SavingTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(
      path: scratch.file(),
      options: MagicOptions(logger: recorder.logger(), logsValues: false))
  }

  @Test func anObjectIsFetchedWithItsSavedValues() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    #expect(ada.zIndex == nil)
    let zIndex = try await magic.update(ada)
    #expect(ada.zIndex == zIndex)
    let all = try await magic.object(of: Person.self)
    #expect(all.map(\.name) == ["Ada"])
    #expect(all[0].age == 3)
    #expect(all[0].petName == nil)
    #expect(all[0].zIndex == zIndex)
    #expect(all[0].isSameRow(as: ada))
  }

  @Test func aSecondInstanceWithThePrimaryUpdatesItsRow() async throws {
    let magic = try await open()
    let first = Person(id: "ada", name: "Ada")
    first.petName = "Mao"
    let zIndex = try await magic.update(first)
    let second = Person(id: "ada", name: "Grace")
    #expect(try await magic.update(second) == zIndex)
    let all = try await magic.object(of: Person.self)
    #expect(all.map(\.name) == ["Grace"])
    // All values are those of the new instance, also nil.
    #expect(all[0].petName == nil)
    #expect(second.isSameRow(as: first))
  }

  @Test func updatingTwiceKeepsOneRow() async throws {
    let magic = try await open()
    let note = Note("a")
    let first = try await magic.update(note)
    note.text = "b"
    #expect(try await magic.update(note) == first)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["b"])
  }

  @Test func withoutAPrimaryEveryNewInstanceIsANewRow() async throws {
    let magic = try await open()
    let first = try await magic.update(Note("same"))
    let second = try await magic.update(Note("same"))
    #expect(first < second)
    #expect(try await magic.object(of: Note.self).count == 2)
  }

  @Test func aFetchedInstanceWithoutAPrimaryUpdatesItsRow() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: ["a", "b", "c"].map { Note($0) })
    let second = try await magic.object(of: Note.self)[1]
    second.text = "changed"
    try await magic.update(second)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "changed", "c"])
  }

  @Test func aChangedInstanceWithoutAPrimaryWhoseRowWasDeletedIsNotFound() async throws {
    let magic = try await open()
    let note = Note("a")
    try await magic.update(note)
    let copy = try await magic.object(of: Note.self)[0]
    try await magic.removeAll(of: Note.self)
    for gone in [note, copy] {
      gone.text = "b"
      let error = await #expect(throws: MagicError.self) { try await magic.update(gone) }
      #expect(error?.code == .notFound)
      #expect(error?.type == "Note")
    }
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func aChangedInstanceWithAPrimaryWhoseRowWasDeletedIsNotInsertedAgain() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    let fetched = try await magic.object(of: Person.self, primary: "ada")
    try await magic.removeAll(of: Person.self)
    for gone in [ada, fetched] {
      gone.name = "Grace"
      let error = await #expect(throws: MagicError.self) { try await magic.update(gone) }
      #expect(error?.code == .notFound)
      await #expect(throws: MagicError.self) {
        try await magic.update(contentsOf: [Person(id: "alan", name: "Alan"), gone])
      }
    }
    #expect(try await magic.object(of: Person.self).isEmpty)
    // A new object with the primary is not the deleted one.
    try await magic.update(Person(id: "ada", name: "Ada"))
    await #expect(throws: MagicError.self) { try await magic.update(fetched) }
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Ada"])
  }

  @Test func aSaveAfterADeletionInTheSameTransactionInsertsNothing() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    let error = await #expect(throws: MagicError.self) {
      try await magic.transaction { transaction in
        let other = try transaction.object(of: Person.self, primary: "ada")
        try transaction.remove(other)
        ada.name = "Grace"
        try transaction.update(ada)
      }
    }
    #expect(error?.code == .notFound)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Ada"])
    // The transaction was rolled back, so the row exists.
    try await magic.update(ada)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Grace"])
  }

  @Test func anUnchangedInstanceWhoseRowWasDeletedIsInsertedOnRequest() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    let note = Note("a")
    let old = try await magic.update(note)
    try await magic.update(ada)
    #expect(try await magic.update(note, ifMissing: .insert) == old)
    try await magic.removeAll(of: Person.self)
    try await magic.removeAll(of: Note.self)
    let new = try await magic.update(note, ifMissing: .insert)
    #expect(new > old)
    try await magic.update(contentsOf: [ada, ada], ifMissing: .insert)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Ada"])
  }

  @Test func manyInstancesWhoseRowsWereDeletedAreInsertedInOrder() async throws {
    let magic = try await open()
    let notes = (0..<300).map { Note("\($0)") }
    try await magic.update(contentsOf: notes)
    try await magic.removeAll(of: Note.self)
    for note in notes.dropFirst(100) { note.text += "!" }
    let new = Note("new")
    let rows = try await magic.update(contentsOf: notes + [new], ifMissing: .insert)
    #expect(rows == rows.sorted() && Set(rows).count == 301)
    let texts = notes.map(\.text) + ["new"]
    #expect(try await magic.object(of: Note.self).map(\.text) == texts)
    #expect(notes.map(\.zIndex) == rows.dropLast().map { $0 })
  }

  @Test func aChangedInstanceWithAPrimaryWhoseRowWasDeletedIsInsertedOnRequest() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    ada.petName = "Mao"
    let old = try await magic.update(ada)
    try await magic.removeAll(of: Person.self)
    ada.name = "Grace"
    let new = try await magic.update(ada, ifMissing: .insert)
    #expect(new > old)
    #expect(ada.zIndex == new)
    let all = try await magic.object(of: Person.self)
    #expect(all.map(\.name) == ["Grace"])
    // The unchanged values are written too.
    #expect(all[0].petName == "Mao")
  }

  @Test func theLastOfSeveralObjectsWithOnePrimaryIsStoredAlsoIfARowIsMissing() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    try await magic.removeAll(of: Person.self)
    ada.name = "Augusta"
    let other = Person(id: "ada", name: "Lovelace")
    try await magic.update(contentsOf: [ada, other], ifMissing: .insert)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Lovelace"])
    #expect(ada.isSameRow(as: other))
  }

  @Test func anObjectThatIsInsertedAgainIsWrittenBeforeALaterOneOfTheSameRow() async throws {
    let magic = try await open()
    let old = Person(id: "grace", name: "Old")
    let ada = Person(id: "ada", name: "Ada")
    let row = try await magic.update(contentsOf: [old, ada])[1]
    try await magic.query(Person.self).where(\.$id == "grace").delete()
    // Its row is missing, and its primary is that of the other row.
    old.id = "ada"
    old.age = 4
    ada.name = "Augusta"
    try await magic.update(contentsOf: [old, ada], ifMissing: .insert)
    let all = try await magic.object(of: Person.self)
    #expect(all.map(\.name) == ["Augusta"])
    #expect(all.map(\.age) == [4])
    #expect(old.zIndex == row)
  }

  @Test func aPrimaryThatIsInsertedAgainIsNotAssignedToALaterObject() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    let grace = Person(id: "grace", name: "Grace")
    try await magic.update(contentsOf: [ada, grace])
    try await magic.query(Person.self).where(\.$id == "ada").delete()
    ada.name = "Augusta"
    grace.id = "ada"
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: [ada, grace], ifMissing: .insert)
    }
    #expect(error?.code == .notUnique)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Grace"])
  }

  @Test func anUnchangedObjectRunsNoStatement() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    let note = Note("a")
    let zIndex = try await magic.update(ada)
    try await magic.update(note)
    let fetched = try await magic.object(of: Person.self)[0]
    recorder.clear()
    #expect(try await magic.update(ada) == zIndex)
    #expect(try await magic.update(fetched) == zIndex)
    try await magic.update(note)
    try await magic.update(contentsOf: [ada, fetched, ada])
    #expect(recorder.work == [])
  }

  @Test func anUnchangedObjectIsNotLookedUp() async throws {
    let magic = try await open()
    let note = Note("a")
    let zIndex = try await magic.update(note)
    try await magic.removeAll(of: Note.self)
    #expect(try await magic.update(note) == zIndex)
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func onlyChangedColumnsAreWritten() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    recorder.clear()
    ada.age = 4
    try await magic.update(ada)
    if TestedEngine.current.has(.statements) {
      #expect(recorder.work == [#"UPDATE "Person" SET "age" = ? WHERE "z_index" = ?"#])
    }

    let fetched = try await magic.object(of: Person.self, primary: "ada")
    recorder.clear()
    fetched.petName = "Mao"
    fetched.name = "Grace"
    try await magic.update(fetched)
    if TestedEngine.current.has(.statements) {
      #expect(
        recorder.work == [#"UPDATE "Person" SET "name" = ?, "petName" = ? WHERE "z_index" = ?"#])
    }
    let stored = try await magic.object(of: Person.self, primary: "ada")
    #expect(stored.name == "Grace" && stored.age == 4 && stored.petName == "Mao")
  }

  @Test func changesOfTwoInstancesToDifferentPropertiesAreBothStored() async throws {
    let magic = try await open()
    try await magic.update(Person(id: "ada", name: "Ada"))
    let first = try await magic.object(of: Person.self, primary: "ada")
    let second = try await magic.object(of: Person.self, primary: "ada")
    first.age = 40
    second.petName = "Mao"
    try await magic.update(first)
    try await magic.update(second)
    let stored = try await magic.object(of: Person.self, primary: "ada")
    #expect(stored.age == 40)
    #expect(stored.petName == "Mao")
  }

  @Test func theErrorNamesAnUnsetPropertyAndNothingIsWritten() async throws {
    let magic = try await open()
    let person = Person()
    let error = await #expect(throws: MagicError.self) { try await magic.update(person) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Person")
    #expect(error?.property == "name")
    #expect(person.zIndex == nil)
    #expect(try await magic.object(of: Person.self).isEmpty)
    person.name = "set"
    try await magic.update(person)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["set"])
  }

  @Test(.requires(.files)) func readingAnUnsetPropertyEndsTheProcessWithAnErrorThatNamesIt()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let magic = try await MagicData.onTestedEngine(type: .memory)
      try await magic.update(Person(name: "set"))
      _ = Person().name
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Person.name"))
  }

  @Test func aValueOfNilIsStoredAsNULLAndEmptyTextIsNot() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "")
    ada.petName = ""
    try await magic.update(ada)
    try await magic.update(Person(id: "bob", name: "Bob"))
    if TestedEngine.current.has(.files) {
      #expect(
        try scratch.raw()
          .text("SELECT group_concat(typeof(petName)) FROM Person ORDER BY z_index") == "text,null")
    }
    #expect(try await magic.object(of: Person.self).map(\.petName) == ["", nil])
    ada.petName = nil
    try await magic.update(ada)
    #expect(try await magic.object(of: Person.self).map(\.petName) == [nil, nil])
  }

  @Test func emptyDataIsNotNULL() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Box(Data(), Data()), Box(Data(), nil)])
    let boxes = try await magic.object(of: Box<Data>.self)
    #expect(boxes.map(\.value) == [Data(), Data()])
    #expect(boxes.map(\.option) == [Data(), nil])
  }

  @Test func aChangedPrimaryUpdatesTheRow() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    let zIndex = try await magic.update(ada)
    ada.id = "grace"
    #expect(try await magic.update(ada) == zIndex)
    #expect(try await magic.has(of: Person.self, primary: "ada") == false)
    #expect(try await magic.object(of: Person.self, primary: "grace").zIndex == zIndex)
  }

  @Test func changingAPrimaryToAnExistingOneIsRefused() async throws {
    let magic = try await open()
    let (ada, bob) = (Person(id: "ada", name: "Ada"), Person(id: "bob", name: "Bob"))
    try await magic.update(contentsOf: [ada, bob])
    bob.id = "ada"
    let error = await #expect(throws: MagicError.self) { try await magic.update(bob) }
    #expect(error?.code == .notUnique)
    #expect(try await magic.object(of: Person.self).map(\.id) == ["ada", "bob"])
  }

  @Test func aDuplicateUniqueValueIsRefusedAndNotShown() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Ticket("a", seat: "secret"), Ticket("b"), Ticket("c")])
    let ticket = Ticket("d", seat: "secret")
    let error = await #expect(throws: MagicError.self) { try await magic.update(ticket) }
    #expect(error?.code == .notUnique)
    #expect("\(error as Any)".contains("secret") == false)
    #expect(ticket.number == 0)
    #expect(ticket.zIndex == nil)
    ticket.seat = "free"
    try await magic.update(ticket)
    #expect(ticket.number == 4)
    // NULL is not equal to NULL.
    #expect(try await magic.object(of: Ticket.self).map(\.seat) == ["secret", nil, nil, "free"])
  }

  @Test func valuesChangedInPlaceAreWritten() async throws {
    let magic = try await open()
    let box = Box(["a"], ["x"])
    try await magic.update(box)
    let fetched = try await magic.object(of: Box<[String]>.self)[0]
    fetched.value.append("b")
    fetched.option?.append("y")
    try await magic.update(fetched)
    let again = try await magic.object(of: Box<[String]>.self)[0]
    #expect(again.value == ["a", "b"])
    #expect(again.option == ["x", "y"])
  }

  @Test func aValueSetDuringASaveIsStillMarkedAsChanged() async throws {
    let magic = try await open()
    let box = Box(0)
    try await magic.update(box)
    let setting = Task.detached { for value in 1...20_000 { box.value = value } }
    for _ in 0..<20 { try await magic.update(box) }
    await setting.value
    try await magic.update(box)
    #expect(try await magic.object(of: Box<Int>.self).map(\.value) == [20_000])
  }
}
