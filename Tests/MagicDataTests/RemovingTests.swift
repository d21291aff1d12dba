import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

@Suite(.everyEngine) struct RemovingTests {
  let scratch = Scratch()

  @Test func aRemovedObjectIsUnsavedAndKeepsItsValues() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ada = Person(id: "ada", name: "Ada")
    let copy = ada
    try await magic.update(ada)
    try await magic.remove(ada)
    #expect(ada.zIndex == nil)
    #expect(copy.zIndex == nil)
    #expect(ada.id == "ada")
    #expect(copy.name == "Ada")
    #expect(try await magic.object(of: Person.self).isEmpty)
  }

  @Test func aFetchedObjectIsRemovedToo() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: ["a", "b", "c"].map { Note($0) })
    let fetched = try await magic.object(of: Note.self)[1]
    let copy = fetched
    try await magic.remove(fetched)
    #expect(fetched.zIndex == nil)
    #expect(copy.zIndex == nil)
    #expect(fetched.text == "b")
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "c"])
  }

  @Test func anUnsavedObjectIsNotSaved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await magic.remove(Note("a")) }
    #expect(error?.code == .notSaved)
    #expect(error?.type == "Note")
  }

  @Test func theSecondRemovalIsNotSaved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    try await magic.update(note)
    try await magic.remove(note)
    let error = await #expect(throws: MagicError.self) { try await magic.remove(note) }
    #expect(error?.code == .notSaved)
  }

  @Test func aRemovedObjectIsInsertedAsANewRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    note.stars = 5
    let old = try await magic.update(note)
    try await magic.remove(note)
    let new = try await magic.update(note)
    #expect(new > old)
    #expect(note.zIndex == new)
    let fetched = try await magic.object(of: Note.self)
    #expect(fetched.map(\.stars) == [5])
    try await magic.remove(fetched[0])
    try await magic.update(fetched[0])
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])
  }

  @Test func removeAllEmptiesOnlyOneType() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<1_000).map { Note("\($0)") })
    try await magic.update(Person(name: "Ada"))
    try await magic.removeAll(of: Note.self)
    #expect(try await magic.object(of: Note.self).isEmpty)
    #expect(try await magic.object(of: Person.self).count == 1)
    try await magic.removeAll(of: Note.self)
  }

  @Test func removingFromATypeThatWasNeverSavedCreatesNoTable() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.removeAll(of: Note.self)
    try scratch.expectRows(0, in: "sqlite_master")
  }

  @Test(.requires(.files)) func afterAFailedRemovalTheObjectIsStillSaved() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(busyTimeout: 0.05))
    let note = Note("a")
    let zIndex = try await magic.update(note)
    let other = try scratch.raw()
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: MagicError.self) { try await magic.remove(note) }
    #expect(error?.code == .busy)
    #expect(note.zIndex == zIndex)
    try other.execute("ROLLBACK")
    try await magic.remove(note)
    #expect(note.zIndex == nil)
  }
}
