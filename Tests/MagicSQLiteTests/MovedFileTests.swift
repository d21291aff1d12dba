import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct MovedFileTests {
  @Test func anUnchangedFileIsNotMoved() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    #expect(!connection.isFileMoved)
    #expect(try !memory().isFileMoved)
  }

  @Test func aRenamedFileIsMovedUntilItIsRenamedBack() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.moveItem(atPath: scratch.file(), toPath: scratch.file("other"))
    #expect(connection.isFileMoved)
    try FileManager.default.moveItem(atPath: scratch.file("other"), toPath: scratch.file())
    #expect(!connection.isFileMoved)
  }

  @Test func aDeletedFileIsMoved() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.removeItem(atPath: scratch.file())
    #expect(connection.isFileMoved)
  }

  @Test func aReplacedFileIsMoved() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.copyItem(atPath: scratch.file(), toPath: scratch.file("copy"))
    try FileManager.default.removeItem(atPath: scratch.file())
    try FileManager.default.moveItem(atPath: scratch.file("copy"), toPath: scratch.file())
    #expect(connection.isFileMoved)
  }
}
