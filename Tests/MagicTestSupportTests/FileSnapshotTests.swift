import Foundation
import MagicTestSupport
import Testing

@Suite struct FileSnapshotTests {
  let directory: TemporaryDirectory
  let file: URL

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("store.db")
  }

  @Test func readingChangesNothing() throws {
    try write("hello")
    let before = try FileSnapshot(of: file)
    _ = try Data(contentsOf: file)
    #expect(try before.changes() == [])
  }

  @Test func aChangedByteIsReported() throws {
    try write("hello")
    let before = try FileSnapshot(of: file)
    try write("helLo")
    #expect(try before.changes() == ["store.db differs from byte 3"])
  }

  @Test func aNewSizeIsReported() throws {
    try write("hello")
    let before = try FileSnapshot(of: file)
    try write("hello!")
    #expect(try before.changes() == ["store.db had 5 bytes and has 6"])
  }

  @Test func newAndRemovedSiblingsAreReported() throws {
    try write("hello")
    try Data().write(to: directory.file("store.db-shm"))
    let before = try FileSnapshot(of: file)
    try FileManager.default.removeItem(at: directory.file("store.db-shm"))
    try Data().write(to: directory.file("store.db-wal"))
    #expect(try before.changes() == ["store.db-wal appeared", "store.db-shm vanished"])
  }

  @Test func creationAndRemovalAreReported() throws {
    let nothing = try FileSnapshot(of: file)
    #expect(try nothing.changes() == [])
    try write("")
    #expect(try nothing.changes() == ["store.db appeared"])
    let empty = try FileSnapshot(of: file)
    try FileManager.default.removeItem(at: file)
    #expect(try empty.changes() == ["store.db vanished"])
  }

  @Test func aFolderIsComparedByItsNames() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    let before = try FileSnapshot(of: file)
    #expect(try before.changes() == [])
    try Data().write(to: file.appendingPathComponent("inside"))
    #expect(try before.changes() == ["store.db/inside appeared"])
  }

  @Test func aFileThatBecomesASymbolicLinkIsReported() throws {
    try write("hello")
    let before = try FileSnapshot(of: file)
    try FileManager.default.moveItem(at: file, to: directory.file("other"))
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: directory.file("other"))
    #expect(try before.changes() == ["store.db became something else", "other appeared"])
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: file)
  }
}
