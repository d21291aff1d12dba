import CLocks
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// A file system that grants no locks, for example NFS without a lock service: the error does not
/// report a lock of another process.
@Suite struct NoLocksTests {
  let scratch = Scratch()

  /// The error codes of such systems; SQLite treats the first as a lock of another process.
  private static let refusals = [ENOLCK, ENOSYS, EOPNOTSUPP]

  /// Expects an error that names the reason, long before the busy timeout.
  private static func expectNoLocks(_ number: Int32, _ body: () async throws -> Void) async {
    let start = ContinuousClock.now
    let error = await expect(.noLocks) { try await body() }
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(error?.message.contains(String(cString: strerror(number))) == true, "\(error as Any)")
  }

  @Test func openingAFileThatCannotBeLockedFailsWithNoLocks() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let options = MagicOptions(busyTimeout: 60)
      let magic = try await MagicData(path: path, options: options)
      try await magic.update(Note("a"))
      await magic.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      for number in Self.refusals {
        try #require(clocks_refuse(number))
        for readOnly in [false, true] {
          await Self.expectNoLocks(number) {
            _ = try await MagicData(
              path: path, options: MagicOptions(readOnly: readOnly, busyTimeout: 60))
          }
        }
        await Self.expectNoLocks(number) {
          _ = try await MagicData(path: path + "-new", options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-new"))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      try #require(clocks_refuse(0))
      let again = try await MagicData(path: path, options: options)
      #expect(try await again.texts() == ["a"])
      await again.close()
    }
  }

  @Test func writingAFileThatCannotBeLockedAnyMoreFailsWithNoLocks() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path, options: MagicOptions(busyTimeout: 60))
      let note = Note("a")
      try await magic.update(note)
      note.text = "b"
      // SQLite itself repeats the call a hundred times.
      try #require(clocks_refuse(ENOLCK))
      await Self.expectNoLocks(ENOLCK) { try await magic.update(note) }
      await Self.expectNoLocks(ENOLCK) { _ = try await magic.object(of: Note.self) as [Note] }
      try #require(clocks_refuse(0))
      #expect(try await magic.texts() == ["a"])
      try await magic.update(note)
      #expect(try await magic.texts() == ["b"])
      await magic.close()
    }
  }

  @Test func anotherProcessesLockIsStillBusyAfterwards() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path, options: MagicOptions(busyTimeout: 0.1))
      try await magic.update(Note("a"))
      try #require(clocks_refuse(ENOLCK))
      await expect(.noLocks) { try await magic.update(Note("b")) }
      try #require(clocks_refuse(0))
      let other = try SQLiteConnection(
        path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
      try other.execute("BEGIN IMMEDIATE")
      await expect(.busy) { try await magic.update(Note("b")) }
      try other.execute("ROLLBACK")
      try await magic.update(Note("b"))
      await magic.close()
    }
  }
}
