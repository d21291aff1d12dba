import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

/// A file whose last transaction was not finished: a rollback journal that belongs to it.
@Suite struct UnfinishedTests {
  @Test func anUnfinishedTransactionIsNamedAndRolledBackByAWriter() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let copy = directory.appendingPathComponent("killed.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      _ = try connection.text("PRAGMA journal_mode = DELETE")
      try connection.execute("PRAGMA cache_size = 1; BEGIN; UPDATE Ticket SET title = 'lost'")
      // More than the cache holds, so that pages are written before the commit.
      try connection.execute(
        "CREATE TABLE filler (a); INSERT INTO filler VALUES (zeroblob(900000))")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      try FileManager.default.copyItem(atPath: path + "-assets", toPath: copy + "-assets")
      connection.close()
      for command in ["inspect", "verify"] {
        let run = await magic(command, copy)
        #expect(run.status == 2)
        #expect(run.messages.contains("killed"))
      }
      #expect(await magic("compact", copy).status == 0)
      #expect(await magic("verify", copy).status == 0)
      let lost = "SELECT count(*) FROM Ticket WHERE title = 'lost'"
      #expect(await magic("query", copy, lost, "--csv").lines.last == "0")
    }
  }
}
