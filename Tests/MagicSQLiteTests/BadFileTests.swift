import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct BadFileTests {
  private static let accesses: [SQLiteConfiguration.Access] = [
    .readWrite, .readWriteExisting, .readOnly, .immutable,
  ]

  /// Opens the file with every kind of access, and expects that it is not changed.
  private func expectRefusal(
    of contents: Data, as code: SQLiteError.Code, accesses: [SQLiteConfiguration.Access] = accesses
  ) throws {
    for access in accesses {
      let scratch = Scratch()
      try contents.write(to: URL(fileURLWithPath: scratch.file()))
      let error = sqliteError { _ = try scratch.connection(.init(access: access)) }
      #expect(error?.code == code, "\(access): \(String(describing: error))")
      #expect(try scratch.bytes() == contents)
      #expect(scratch.names == ["test.sqlite3"])
    }
  }

  @Test func garbageIsNotADatabase() throws {
    try expectRefusal(
      of: Data("This is a text, and not a short one either. ".utf8), as: .notADatabase)
    try expectRefusal(
      of: Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31) }), as: .notADatabase)
  }

  @Test func aFileOfFiveBytesIsNotADatabase() throws {
    try expectRefusal(of: Data("hello".utf8), as: .notADatabase)
  }

  @Test func aFileWithAnOverwrittenHeaderIsNotADatabase() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    var contents = try scratch.bytes()
    contents.replaceSubrange(0..<16, with: Data("SQLite format 4\0".utf8))
    try expectRefusal(of: contents, as: .notADatabase)
  }

  @Test func aFileWithAFutureReadVersionIsNotADatabase() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    var contents = try scratch.bytes()
    contents[19] = 9
    try expectRefusal(of: contents, as: .notADatabase)
  }

  @Test func aFutureWriteVersionCannotBeWritten() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    var contents = try scratch.bytes()
    contents[18] = 9
    try expectRefusal(of: contents, as: .readOnly, accesses: [.readWrite, .readWriteExisting])
  }

  @Test func aDirectoryCannotBeOpened() throws {
    let scratch = Scratch()
    for access in Self.accesses {
      let error = sqliteError {
        _ = try SQLiteConnection(
          path: scratch.directory.path, configuration: .init(access: access))
      }
      // The system opens a directory for reading, and fails to read from it.
      #expect(error?.code == .cannotOpen || error?.code == .inputOutput, "\(access)")
    }
    #expect(scratch.names.isEmpty)
  }

  @Test func aMissingParentCannotBeOpened() throws {
    let scratch = Scratch()
    let error = sqliteError { _ = try SQLiteConnection(path: scratch.file("no/such/x.sqlite3")) }
    #expect(error?.code == .cannotOpen)
    #expect(scratch.names.isEmpty)
  }

  @Test func aTruncatedDatabaseIsCorruptAndIsNotChanged() throws {
    let scratch = Scratch()
    try scratch.makeDatabase(rows: 20_000)
    let whole = try scratch.bytes()
    let contents = whole.prefix(whole.count / 2 / 4096 * 4096)
    for access in Self.accesses {
      let scratch = Scratch()
      try contents.write(to: URL(fileURLWithPath: scratch.file()))
      let error = sqliteError {
        let connection = try scratch.connection(.init(access: access))
        _ = try connection.integer("SELECT sum(number) FROM item")
      }
      #expect(error?.code == .corrupt, "\(access)")
      #expect(try scratch.bytes() == contents)
    }
  }

  @Test func aDamagedPageIsReportedWhenItIsRead() throws {
    let scratch = Scratch()
    try scratch.makeDatabase(rows: 20_000)
    var contents = try scratch.bytes()
    contents.replaceSubrange(4096 * 3..<4096 * 4, with: Data(count: 4096))
    try contents.write(to: URL(fileURLWithPath: scratch.file()))
    let connection = try scratch.connection(.init(access: .readOnly))
    let error = sqliteError { _ = try connection.integer("SELECT sum(number) FROM item") }
    #expect(error?.code == .corrupt)
    #expect(error?.sql == "SELECT sum(number) FROM item")
  }

  @Test func aFileOfLengthZeroIsReadAsAnEmptyDatabaseAndStaysEmpty() throws {
    for access in [SQLiteConfiguration.Access.readOnly, .immutable] {
      let scratch = Scratch()
      try Data().write(to: URL(fileURLWithPath: scratch.file()))
      let connection = try scratch.connection(.init(access: access))
      #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 0)
      connection.close()
      #expect(try scratch.bytes() == Data())
    }
  }

  @Test func openingForReadingFirstChangesNoByte() throws {
    let scratch = Scratch()
    try Data().write(to: URL(fileURLWithPath: scratch.file()))
    let connection = try SQLiteConnection(reading: scratch.file(), configuration: .init())
    #expect(try scratch.bytes() == Data())
    #expect(scratch.names == ["test.sqlite3"])
    try connection.prepareForWriting()
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
  }

  @Test(.enabled(if: geteuid() != 0, "The super-user may write everywhere."))
  func aWriteProtectedFileIsReadOnly() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scratch.file())
    #expect(sqliteError { _ = try scratch.connection() }?.code == .readOnly)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: scratch.file())
    #expect(sqliteError { _ = try scratch.connection() }?.code == .cannotOpen)
  }
}
