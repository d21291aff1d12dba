import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct ScratchTests {
  @Test func itIsEmptyAndRemovedWithTheObject() throws {
    var scratch: Scratch? = Scratch()
    let path = try #require(scratch?.path)
    #expect(scratch?.names == [])
    try scratch?.write(Data([1]))
    #expect(FileManager.default.fileExists(atPath: path + "/test.sqlite3"))
    scratch = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func contentsAreBytesByName() throws {
    let scratch = Scratch()
    try scratch.write(Data([1, 2]))
    try scratch.write(Data(), "test.sqlite3-wal")
    try scratch.write(Data([0]), "test.sqlite3-shm")
    try FileManager.default.createDirectory(
      atPath: scratch.file("a"), withIntermediateDirectories: true)
    #expect(
      scratch.contents
        == [
          "test.sqlite3": Data([1, 2]), "test.sqlite3-wal": Data(), "test.sqlite3-shm": Data([0]),
          "a": nil,
        ])
    #expect(scratch.contentsWithoutEmptyLogs == ["test.sqlite3": Data([1, 2]), "a": nil])
    #expect(scratch.names == ["a", "test.sqlite3", "test.sqlite3-shm", "test.sqlite3-wal"])
  }

  @Test func damageReturnsTheBytesBefore() throws {
    let scratch = Scratch()
    try scratch.write(Data([1, 2]))
    #expect(try scratch.damage { $0[1] = 9 } == Data([1, 2]))
    #expect(try scratch.bytes() == Data([1, 9]))
  }

  @Test func filesOfAssetsAreThoseInBatches() throws {
    let scratch = Scratch()
    #expect(scratch.assetFiles == [])
    try FileManager.default.createDirectory(
      atPath: scratch.assets + "/00", withIntermediateDirectories: true)
    for name in ["hold", "00/b", "00/a"] {
      try scratch.write(Data(), "test.sqlite3-assets/" + name)
    }
    #expect(scratch.assetFiles == ["00/a", "00/b"])
  }

  @Test func onlyAnExistingDatabaseIsOpenedAsAnotherProcessDoes() throws {
    let scratch = Scratch()
    #expect(throws: SQLiteError.self) { try scratch.raw() }
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try scratch.change("INSERT INTO t VALUES (7)")
    #expect(try connection.rows("SELECT a FROM t") == [["7"]])
    connection.close()
  }
}
