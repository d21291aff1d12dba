import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Tables that are missing in the catalogue of the file, or cannot be entered.
@Suite(.timeLimit(.minutes(5))) struct UnknownTableTests {
  let scratch = Scratch()

  private func makeNotes() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b"].map { Note($0) })
    }
  }

  private func expectError(_ code: MagicError.Code) throws {
    try scratch.using { store throws in
      let verbs: [(MagicObjectStore) throws -> Void] = [
        { _ = try $0.object(of: Note.self) },
        { store in try store.read { _ = try $0.object(of: Note.self) } },
        { _ = try $0.migrate(Note.self) },
      ]
      for verb in verbs {
        let error = #expect(throws: MagicError.self) { try verb(store) }
        #expect(error?.code == code)
      }
    }
  }

  @Test func readingATableOfAnotherToolIsRefused() throws {
    let raw = try SQLiteConnection(path: scratch.file())
    try raw.execute("CREATE TABLE Note (id INTEGER PRIMARY KEY, text TEXT)")
    raw.close()
    let before = try scratch.raw().dump()
    try expectError(.needsMigration)
    #expect(try scratch.raw().dump() == before)
  }

  @Test func aTableIsReadAfterTheCatalogueWasDropped() throws {
    try makeNotes()
    try scratch.change("DROP TABLE magic_catalogue; DROP TABLE magic_format")
    try scratch.using { store throws in
      #expect(try store.object(of: Note.self).map(\.text) == ["a", "b"])
      try store.update(Note("c"))
      #expect(try store.object(of: Note.self).count == 3)
    }
  }

  @Test(arguments: ["INSERT", "UPDATE"])
  func aCatalogueThatDoesNotStoreItsEntriesIsDetected(event: String) throws {
    try makeNotes()
    try scratch.change(
      "UPDATE magic_catalogue SET fingerprint = ''; "
        + "CREATE TRIGGER t AFTER \(event) ON magic_catalogue BEGIN DELETE FROM magic_catalogue; END"
    )
    if event == "INSERT" { try scratch.change("DELETE FROM magic_catalogue") }
    try expectError(.corrupt)
  }
}
