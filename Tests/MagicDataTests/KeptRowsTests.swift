import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Rows whose change or deletion a trigger in the file prevents: no call reports success then.
@Suite struct KeptRowsTests {
  let scratch = Scratch()

  private typealias Author = Rules.Author

  /// Adds a trigger that ignores an operation on the rows that meet a condition.
  private func ignore(
    _ operation: String, on table: String, where condition: String
  ) throws {
    let raw = try scratch.raw()
    try raw.execute(
      """
      CREATE TRIGGER "keeps" BEFORE \(operation) ON "\(table)" WHEN \(condition) BEGIN
        SELECT RAISE(IGNORE); END
      """)
    raw.close()
  }

  /// Expects that a call is refused because of a trigger.
  private func expectRefusal(
    _ type: String, at location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await body()
    }
    #expect(error?.code == .constraint, "\(error as Any)", sourceLocation: location)
    #expect(error?.type == type, sourceLocation: location)
    #expect(error?.message.contains("trigger") == true, sourceLocation: location)
  }

  private func makeNotes(in magic: MagicData) async throws -> [Note] {
    let notes = ["a", "b", "c"].map { Note($0) }
    try await magic.update(contentsOf: notes)
    try ignore("DELETE", on: "Note", where: "OLD.text = 'b'")
    return notes
  }

  @Test func aRemovalThatATriggerPreventsIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    let notes = try await makeNotes(in: magic)
    await expectRefusal("Note") { try await magic.remove(notes[1]) }
    #expect(notes[1].zIndex != nil)
    notes[1].stars = 3
    try await magic.update(notes[1])
    try await magic.remove(notes[0])
    #expect(try await magic.object(of: Note.self).map(\.stars) == [3, nil])
  }

  @Test func removingAnObjectWhoseRowNoLongerExistsSucceeds() async throws {
    let magic = try await MagicData(path: scratch.file())
    let notes = try await makeNotes(in: magic)
    try await magic.sql("DELETE FROM Note WHERE text = 'a'").run()
    try await magic.remove(notes[0])
    #expect(notes[0].zIndex == nil)
  }

  @Test func aTriggerThatKeepsOneOfSeveralRowsPreventsTheirRemoval() async throws {
    let magic = try await MagicData(path: scratch.file())
    let notes = try await makeNotes(in: magic)
    await expectRefusal("Note") { try await magic.remove(contentsOf: notes) }
    #expect(try await magic.query(Note.self).count() == 3)
    #expect(notes.allSatisfy { $0.zIndex != nil })
  }

  @Test func aTransactionContinuesAfterARefusedRemoval() async throws {
    let magic = try await MagicData(path: scratch.file())
    let notes = try await makeNotes(in: magic)
    try await magic.transaction { transaction in
      let error = #expect(throws: MagicError.self) {
        try transaction.remove(contentsOf: [notes[0], notes[1]])
      }
      #expect(error?.code == .constraint)
      try transaction.remove(notes[2])
    }
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "b"])
    #expect(notes.map { $0.zIndex == nil } == [false, false, true])
  }

  @Test func removeAllIsRefusedIfATriggerKeepsARow() async throws {
    let magic = try await MagicData(path: scratch.file())
    _ = try await makeNotes(in: magic)
    await expectRefusal("Note") { try await magic.removeAll(of: Note.self) }
    #expect(try await magic.query(Note.self).count() == 3)
  }

  @Test func aQueryDoesNotCountRowsThatATriggerKeeps() async throws {
    let magic = try await MagicData(path: scratch.file())
    _ = try await makeNotes(in: magic)
    #expect(try await magic.query(Note.self).where(\.$text >= "b").delete() == 1)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "b"])
    #expect(try await magic.sql("DELETE FROM Note").run() == 1)
    #expect(try await magic.query(Note.self).count() == 1)
  }

  @Test func aCascadeIsRefusedIfATriggerKeepsAnyOfItsRows() async throws {
    let magic = try await MagicData(path: scratch.file())
    let bands = ["a", "b"].map { name in
      let band = Rules.Band()
      band.list = [Author(name), Author(name + name)]
      return band
    }
    try await magic.update(contentsOf: bands)
    try ignore("DELETE", on: "Author", where: "OLD.name = 'bb'")
    await expectRefusal("Author") { try await magic.remove(bands[1]) }
    await expectRefusal("Author") { try await magic.removeAll(of: Rules.Band.self) }
    await expectRefusal("Author") { try await magic.query(Rules.Band.self).delete() }
    #expect(try await magic.query(Author.self).count() == 4)
    try scratch.expectRows(4, in: "magic_Band.list")
    try await magic.remove(bands[0])
    #expect(try await magic.query(Author.self).count() == 2)
  }

  @Test func aCascadeIsRefusedIfATriggerKeepsItsFirstRow() async throws {
    let magic = try await MagicData(path: scratch.file())
    let author = Author("a")
    try await magic.update(contentsOf: [Rules.Diary(by: author), Rules.Diary(by: author)])
    try ignore("DELETE", on: "Author", where: "1")
    await expectRefusal("Author") { try await magic.remove(author) }
    await expectRefusal("Author") { try await magic.removeAll(of: Author.self) }
    await expectRefusal("Author") { try await magic.query(Author.self).delete() }
    #expect(try await magic.query(Rules.Diary.self).count() == 2)
  }

  @Test func aTargetIsKeptIfATriggerKeepsItsOwner() async throws {
    let magic = try await MagicData(path: scratch.file())
    let author = Author("a")
    try await magic.update(Rules.Diary(by: author))
    try ignore("DELETE", on: "Diary", where: "1")
    await expectRefusal("Diary") { try await magic.remove(author) }
    #expect(try await magic.query(Author.self).count() == 1)
    try scratch.expectWhole()
  }

  @Test func anInsertThatATriggerIgnoresIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("a"))
    try await magic.update(Person(id: "a", name: "a"))
    try ignore("INSERT", on: "Note", where: "NEW.text = 'b'")
    let note = Note("b")
    await expectRefusal("Note") { try await magic.update(note) }
    await expectRefusal("Note") { try await magic.update(contentsOf: [Note("c"), note]) }
    #expect(note.zIndex == nil)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])
  }

  @Test func aChangeThatATriggerIgnoresIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    let (note, ada) = (Note("a"), Person(id: "a", name: "Ada"))
    try await magic.update(note)
    try await magic.update(ada)
    try ignore("UPDATE", on: "Note", where: "1")
    (note.stars, ada.age) = (1, 36)
    await expectRefusal("Note") { try await magic.update(note) }
    try await magic.update(ada)
    #expect(note.stars == 1)
    #expect(try await magic.object(of: Note.self).map(\.stars) == [nil])
  }

  @Test func anOwnerKeepsAMemberWhoseChangeATriggerIgnores() async throws {
    let magic = try await MagicData(path: scratch.file())
    let club = Rules.Club([Author("a")])
    try await magic.update(club)
    try ignore("UPDATE", on: "Author", where: "1")
    club.list[0].name = "b"
    await expectRefusal("Author") { try await magic.update(club) }
    #expect(club.list.count == 1)
    try scratch.expectRows(1, in: "magic_Club.list")
  }

  @Test func aChangeByPrimaryThatATriggerIgnoresIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Person(id: "a", name: "Ada"))
    try ignore("UPDATE", on: "Person", where: "1")
    await expectRefusal("Person") { try await magic.update(Person(id: "a", name: "Eve")) }
    let fetched = try await magic.object(of: Person.self, primary: "a")
    fetched.name = "Eve"
    await expectRefusal("Person") { try await magic.update(fetched) }
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Ada"])
  }
}
