import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Files of a newer library or SQLite are refused and not changed.
@Suite struct NewerFormatTests {
  let scratch = Scratch()

  private func makeDatabase() throws {
    try scratch.using { store in try store.update(Note("a")) }
  }

  @Test func aNewerFormatIsRefused() throws {
    try makeDatabase()
    let connection = try scratch.raw()
    try connection.execute("UPDATE magic_format SET version = version + 1")
    connection.close()
    scratch.expectRefusal(.newerFormat)
  }

  @Test func theErrorNamesBothFormats() throws {
    try makeDatabase()
    let connection = try scratch.raw()
    try connection.execute("UPDATE magic_format SET version = 987")
    connection.close()
    let error = #expect(throws: MagicError.self) { try scratch.open() }
    #expect(error?.message.contains("987") == true)
    #expect(error?.message.contains("up to") == true)
  }

  @Test(arguments: [18, 19])
  func aNewerSQLiteFormatIsRefused(byte: Int) throws {
    try makeDatabase()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
    #expect(bytes[byte] == 2)
    bytes[byte] = 9
    try scratch.write(bytes)
    let error = #expect(throws: MagicError.self) { try scratch.open().close() }
    #expect([.newerFormat, .notADatabase, .readOnly].contains(error?.code))
    #expect(scratch.contents == ["test.sqlite3": bytes])
  }

  @Test func unmanagedTablesAreNotChanged() throws {
    let other = try SQLiteConnection(path: scratch.file())
    try other.execute("CREATE TABLE theirs (a, b); INSERT INTO theirs VALUES (1, 'x'), (2, NULL)")
    other.close()
    try scratch.using { store throws in
      #expect(try store.object(of: Note.self).isEmpty)
      try store.update(Note("a"))
    }
    let connection = try scratch.raw()
    #expect(try connection.texts("SELECT a || ifnull(b, '-') FROM theirs") == ["1x", "2-"])
    #expect(
      try connection.texts("SELECT sql FROM sqlite_master WHERE name = 'theirs'")
        == ["CREATE TABLE theirs (a, b)"])
  }

  @Test func anUnmanagedTableWithTheNameOfATypeIsRefused() throws {
    let other = try SQLiteConnection(path: scratch.file())
    try other.execute("CREATE TABLE Note (a, b); INSERT INTO Note VALUES (1, 'x')")
    other.close()
    let before = scratch.contents
    try scratch.using { store throws in
      for call in [{ _ = try store.object(of: Note.self) }, { _ = try store.update(Note("a")) }] {
        let error = #expect(throws: MagicError.self) { try call() }
        #expect(error?.code == .needsMigration)
      }
    }
    #expect(scratch.contents == before)
  }
}
