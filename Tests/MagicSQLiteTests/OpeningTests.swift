import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct OpeningTests {
  @Test func aMissingFileIsCreatedForWriting() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    connection.close()
    #expect(scratch.names == ["test.sqlite3"])
  }

  @Test(arguments: [
    SQLiteConfiguration.Access.readWriteExisting, .readOnly, .immutable,
  ])
  func aMissingFileIsAnErrorOtherwise(_ access: SQLiteConfiguration.Access) throws {
    let scratch = Scratch()
    let error = sqliteError { _ = try scratch.connection(.init(access: access)) }
    #expect(error?.code == .cannotOpen)
    #expect(scratch.names.isEmpty)
  }

  @Test func aReadOnlyConnectionReadsAndCannotWrite() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let connection = try scratch.connection(.init(access: .readOnly))
    #expect(try connection.integer("SELECT count(*) FROM item") == 3)
    let error = sqliteError { try connection.execute("INSERT INTO item VALUES (9)") }
    #expect(error?.code == .readOnly)
  }

  @Test func aReadOnlyConnectionReadsTheLog() throws {
    let scratch = Scratch()
    let writer = try scratch.connection()
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try scratch.connection(.init(access: .readOnly))
    #expect(try reader.integer("SELECT a FROM t") == 1)
    try writer.execute("UPDATE t SET a = 2")
    #expect(try reader.integer("SELECT a FROM t") == 2)
  }

  @Test func anImmutableConnectionCreatesNoSideFiles() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let before = try scratch.bytes()
    let connection = try scratch.connection(.init(access: .immutable))
    #expect(try connection.integer("SELECT sum(number) FROM item") == 3)
    #expect(scratch.names == ["test.sqlite3"])
    #expect(sqliteError { try connection.execute("DELETE FROM item") }?.code == .readOnly)
    connection.close()
    #expect(try scratch.bytes() == before)
  }

  @Test(arguments: ["a b?c#d%20.sqlite3", "ä👋.sqlite3", "file:x.sqlite3", "'quoted\".db"])
  func namesWithSpecialCharactersAreTakenLiterally(_ name: String) throws {
    let scratch = Scratch()
    let writer = try SQLiteConnection(path: scratch.file(name))
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    writer.close()
    #expect(scratch.names == [name])
    for access in [SQLiteConfiguration.Access.readOnly, .immutable] {
      let reader = try SQLiteConnection(
        path: scratch.file(name), configuration: .init(access: access))
      #expect(try reader.integer("SELECT a FROM t") == 7)
    }
  }

  @Test func aPathWithNULIsRefused() throws {
    let scratch = Scratch()
    let error = sqliteError { _ = try SQLiteConnection(path: scratch.file() + "\0x") }
    #expect(error?.code == .misuse)
    #expect(scratch.names.isEmpty)
  }

  @Test func databasesInMemoryAreSeparate() throws {
    let first = try memory()
    let second = try memory()
    try first.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) { try second.execute("SELECT * FROM t") }
  }
}
