import CMemory
import Foundation
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// Calls of SQLite that report missing memory as something else. Each test runs in a new process,
/// in which SQLite has not been used before.
@Suite struct WrongCodeTests {
  /// SQLite's check of the file reports a page for which there was no memory like a damaged page.
  @Test func aPageForWhichThereWasNoMemoryIsNotDamage() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let path = directory.appendingPathComponent("test.sqlite3").path
        try Samples.make(at: path)
        var (position, failures) = (0, 0)
        while true {
          // Three pages are read one after the other.
          position += Effort.isLong ? 1 : 3
          // A new connection has no pages in memory.
          let store = try MagicObjectStore.open(.file(path), options: Samples.options)
          defer { store.close() }
          cmemory_fail(position, false)
          let result = Result { try store.verify() }
          cmemory_heal()
          switch result {
          case .success(let report): #expect(report.isSound, "request \(position): \(report)")
          case .failure(let error):
            failures += 1
            #expect((error as? MagicError)?.code == .outOfMemory, "request \(position): \(error)")
          }
          if cmemory_refusals() == 0 { break }
        }
        #expect(failures > 100)
      }
    }
  }

  @Test func aBackupThatCannotBeginHasRunOutOfMemory() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      let source = try SQLiteConnection(inMemory: SQLiteConfiguration())
      let target = try SQLiteConnection(inMemory: SQLiteConfiguration())
      cmemory_fail(1, false)
      let error = #expect(throws: SQLiteError.self) {
        _ = try SQLiteBackup(of: source, to: target)
      }
      cmemory_heal()
      #expect(error?.code == .outOfMemory)
      #expect(try SQLiteBackup(of: source, to: target).step(pages: -1) == false)
    }
  }
}
