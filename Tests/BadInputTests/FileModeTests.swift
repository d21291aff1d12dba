import Foundation
import MagicData
import MagicFiles
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Only the owner can access the files and directories that the library creates, with any umask
/// of the process.
@Suite struct FileModeTests {
  let scratch = Scratch()

  /// The files and directories below a directory that other users can access, each with its mode.
  private static func open(below path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
      var status = stat()
      // A file that was removed meanwhile is skipped.
      guard lstat(path + "/" + name, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
      return "\(name) \(String(status.st_mode & 0o777, radix: 8))"
    }
  }

  private static func names(below path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path)
  }

  @Test func onlyTheOwnerCanAccessTheFilesOfADatabaseAndItsNewDirectories() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.path as String] in
      umask(0)
      let magic = try await MagicData(path: path + "/new/deep/test.sqlite3")
      try await magic.update(Photo("a", "picture"))
      let source = path + "/new/source"
      try Data("copy".utf8).write(to: URL(fileURLWithPath: source))
      chmod(source, 0o600)
      let copied = Photo("b", "other")
      copied.picture = try await magic.asset(contentsOf: URL(fileURLWithPath: source))
      try await magic.update(copied)
      let names = try Self.names(below: path)
      for end in [".sqlite3", "-wal", "-shm", "-assets", ".raw", ".open"] {
        #expect(names.contains { $0.hasSuffix(end) }, "\(end)")
      }
      #expect(try Self.open(below: path) == [])
      try await magic.remove(copied)
      try await magic.backup(to: path + "/new/other/copy.sqlite3")
      #expect(try Self.names(below: path).contains { $0.hasSuffix("copy.sqlite3-assets") })
      #expect(try Self.open(below: path) == [])
      await magic.close()
      #expect(try Self.open(below: path) == [])
    }
  }

  @Test func onlyTheOwnerCanAccessAFileThatIsBeingWritten() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.path as String] in
      umask(0)
      let seen = Seen()
      var options = MagicOptions()
      options.fileSystem = { folder, durability in
        FaultyFileSystem(DiskFileSystem(root: folder, durability: durability)) { _, _ in
          seen.look(below: path)
        }
      }
      let magic = MagicData(
        store: try MagicObjectStore.open(.file(path + "/test.sqlite3"), options: options))
      try await magic.update(
        contentsOf: (0..<3).map { Photo("\($0)", String(repeating: "x", count: 200_000)) })
      try await magic.backup(to: path + "/copy.sqlite3") { _ in seen.look(below: path) }
      #expect(seen.names.contains { $0.hasSuffix("~") })
      #expect(seen.names.contains { $0.contains(".partial-") && $0.hasSuffix(".raw") })
      #expect(seen.names.contains { $0.hasSuffix("/hold") })
      #expect(seen.open == [])
      await magic.close()
    }
  }

  @Test func onlyTheOwnerCanAccessTheBackupBeforeAMigration() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Before.Item())
      try await magic.update(Photo("a", "picture"))
    }
    await #expect(processExitsWith: .success) { [path = scratch.path as String] in
      umask(0)
      let seen = Seen()
      let magic = try await MagicData(path: path + "/test.sqlite3")
      try await magic.migrate(After.Item.self, backup: path + "/before/copy.sqlite3") { _ in
        seen.look(below: path)
      }
      seen.look(below: path)
      #expect(seen.names.contains("before/copy.sqlite3"))
      #expect(seen.names.contains { $0.hasPrefix("before/copy.sqlite3-assets/") })
      #expect(seen.open == [])
      #expect(try await magic.object(of: After.Item.self).map(\.text) == ["7"])
      await magic.close()
    }
  }

  @Test func onlyTheOwnerCanAccessPrivateDatabases() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.path as String] in
      umask(0)
      setenv("TMPDIR", path + "/", 1)
      let temporary = try await MagicData(type: .temporary)
      try await temporary.update(Photo("a", "picture"))
      let memory = try await MagicData(type: .memory)
      try await memory.update(Photo("a", "picture"))
      let names = try Self.names(below: path)
      #expect(names.filter { $0.hasPrefix("MagicData-") && !$0.contains("/") }.count == 2)
      #expect(names.filter { $0.hasSuffix(".raw") }.count == 2)
      #expect(try Self.open(below: path) == [])
      await temporary.close()
      await memory.close()
      #expect(try Self.names(below: path).isEmpty)
    }
  }

  @Test func onlyTheOwnerCanAccessANewDocumentsDirectory() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.path as String] in
      umask(0)
      setenv("HOME", path, 1)
      setenv("CFFIXED_USER_HOME", path, 1)
      setenv("XDG_DOCUMENTS_DIR", path + "/Documents", 1)
      let magic = try await MagicData()
      try await magic.update(Note("a"))
      await magic.close()
      #expect(try Self.names(below: path).contains { $0.hasSuffix("default.sqlite3") })
      #expect(try Self.open(below: path) == [])
    }
  }

  private enum Before {
    struct Item: MagicObject { @MagicValue var text: Int = 7 }
  }

  private enum After {
    struct Item: MagicObject { @MagicValue var text: String }
  }

  /// Collects the names in a directory, and those that other users could have opened.
  private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var allNames: Set<String> = []
    private var openNames: Set<String> = []

    var names: Set<String> { lock.withLock { allNames } }
    var open: Set<String> { lock.withLock { openNames } }

    func look(below path: String) {
      let names = (try? FileModeTests.names(below: path)) ?? []
      let open = (try? FileModeTests.open(below: path)) ?? ["a directory that cannot be read"]
      lock.withLock {
        allNames.formUnion(names)
        openNames.formUnion(open)
      }
    }
  }
}
