import Foundation
import MagicSQLite
import Testing

@Suite struct MovedFileTests {
  @Test func aFileThatStaysIsNotMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    #expect(!connection.isFileMoved)
    #expect(try !memory().isFileMoved)
  }

  @Test func aRenamedFileIsMovedUntilItIsBack() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.moveItem(atPath: scratch.path, toPath: scratch.path("other"))
    #expect(connection.isFileMoved)
    try FileManager.default.moveItem(atPath: scratch.path("other"), toPath: scratch.path)
    #expect(!connection.isFileMoved)
  }

  @Test func aDeletedFileIsMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.removeItem(atPath: scratch.path)
    #expect(connection.isFileMoved)
  }

  @Test func aReplacedFileIsMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.copyItem(atPath: scratch.path, toPath: scratch.path("copy"))
    try FileManager.default.removeItem(atPath: scratch.path)
    try FileManager.default.moveItem(atPath: scratch.path("copy"), toPath: scratch.path)
    #expect(connection.isFileMoved)
  }
}
