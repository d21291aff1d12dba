import Foundation
import MagicInspection
import MagicSQLite
import Testing
import ToolTestSupport

/// Which files a reader leaves beside the database.
@Suite struct LogTests {
  private func names(_ directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func readingLeavesNoOtherFile() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let before = try (names(directory), content(path))
      let reader = try InspectionReader(path: path)
      _ = try reader.database()
      // SQLite reads with a log, even if it is empty.
      #expect(try names(directory).contains("columns-3.sqlite3-wal"))
      reader.close()
      #expect(try names(directory) == before.0)
      let pool = try InspectionPool(path: path)
      _ = try await pool.read { try $0.database().types.count }
      await pool.close()
      #expect(try names(directory) == before.0)
      #expect(try content(path) == before.1)
    }
  }

  @Test func aLogWithCommitsStays() throws {
    try withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let writer = try SQLiteConnection(path: path)
      try writer.execute("UPDATE Person SET name = 'logged'")
      let copy = directory.appendingPathComponent("killed.sqlite3").path
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      writer.close()
      let before = try (content(copy), content(copy + "-wal"))
      #expect(before.1.count > 4_096)
      let reader = try InspectionReader(path: copy)
      _ = try reader.database()
      reader.close()
      #expect(try content(copy) == before.0)
      #expect(try content(copy + "-wal") == before.1)
    }
  }

  @Test func theLogOfAnOpenDatabaseStays() throws {
    try withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let writer = try SQLiteConnection(path: path)
      _ = try writer.transaction { try writer.execute("SELECT count(*) FROM Person") }
      let first = try InspectionReader(path: path)
      let second = try InspectionReader(path: path)
      first.close()
      second.close()
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      try writer.execute("UPDATE Person SET name = 'later'")
      let reader = try InspectionReader(path: path)
      #expect(try reader.query("SELECT DISTINCT name FROM Person").rows[0][0].text == "later")
      writer.close()
      reader.close()
    }
  }

  @Test func filesWithoutALogStayWithoutOne() throws {
    try withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let writer = try SQLiteConnection(path: path)
      try writer.execute(library("name TEXT"))
      #expect(try writer.prepare("PRAGMA journal_mode = DELETE").step())
      writer.close()
      // What a program has left that used a log before.
      #expect(FileManager.default.createFile(atPath: path + "-wal", contents: nil))
      let before = try content(path)
      let reader = try InspectionReader(path: path)
      _ = try reader.database()
      reader.close()
      #expect(try content(path) == before)
    }
  }
}
