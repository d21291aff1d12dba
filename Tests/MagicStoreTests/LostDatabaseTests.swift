import EngineConformance
import Foundation
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// An empty file is a new database, unless another file shows that it has contained data.
@Suite struct LostDatabaseTests {
  let scratch = Scratch()

  @Test func anEmptyFileIsANewDatabase() throws {
    try scratch.write(Data())
    try scratch.using { store throws in
      try store.update(Note("a"))
      #expect(try store.object(of: Note.self).count == 1)
    }
  }

  @Test func anEmptyFileMayBeReadOnly() throws {
    try scratch.write(Data())
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Note.self).isEmpty)
    }
    #expect(scratch.contents == ["test.sqlite3": Data()])
  }

  @Test func anEmptyFileWithALogIsALostDatabase() throws {
    try scratch.write(Data())
    try scratch.write(Data(repeating: 7, count: 5_000), "test.sqlite3-wal")
    scratch.expectRefusal(.lostDatabase)
  }

  @Test func anEmptyFileWithAssetsIsALostDatabase() throws {
    try scratch.write(Data())
    try FileManager.default.createDirectory(
      atPath: scratch.file("test.sqlite3-assets"), withIntermediateDirectories: true)
    try scratch.write(Data("picture".utf8), "test.sqlite3-assets/1.bin")
    scratch.expectRefusal(.lostDatabase)
  }

  @Test func aMissingFileWithALogIsALostDatabase() throws {
    try scratch.write(Data(repeating: 7, count: 5_000), "test.sqlite3-wal")
    let before = scratch.contents
    let error = #expect(throws: MagicError.self) { try scratch.open() }
    #expect(error?.code == .lostDatabase)
    #expect(scratch.contents == before)
  }

  @Test func anEmptyAssetDirectoryIsNoSignOfALostDatabase() throws {
    try scratch.write(Data())
    try FileManager.default.createDirectory(
      atPath: scratch.file("test.sqlite3-assets"), withIntermediateDirectories: true)
    try scratch.using { store in try store.update(Note("a")) }
    #expect(try scratch.using { store in try store.object(of: Note.self).map(\.text) } == ["a"])
  }
}
