import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

#if os(Linux)
  /// Opening, reading and writing files and directories without read or write permission.
  ///
  /// File modes do not restrict root, so each test runs in a process that drops root privileges.
  @Suite struct AccessRightTests {
    let scratch: Scratch

    init() throws { scratch = Scratch() }

    /// Creates a database that the unprivileged user owns, with modes for its file and directory.
    private func makeDatabase(file: Int, directory: Int) async throws {
      try await scratch.using { magic async throws in
        try await magic.update(contentsOf: (0..<10).map { Note("\($0)") })
        try await magic.update(Photo("a", "picture"))
      }
      try Rights.changeOwner(of: scratch.path)
      try Rights.set(file, of: scratch.file())
      try Rights.set(directory, of: scratch.path)
    }

    @Test func aFileWithoutWritePermissionIsRead() async throws {
      try await makeDatabase(file: 0o444, directory: 0o755)
      let before = scratch.contentsWithoutEmptyLogs
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        await expect(.readOnly) { _ = try await MagicData(path: path) }
        let magic = try await MagicData(path: path, options: MagicOptions(readOnly: true))
        #expect(try await magic.texts() == (0..<10).map { "\($0)" })
        #expect(try await magic.pictures() == ["a": "picture"])
        for write in writes(of: magic) { await expect(.readOnly) { try await write() } }
        await magic.close()
      }
      #expect(scratch.contentsWithoutEmptyLogs == before)
      try Rights.set(0o600, of: scratch.file())
      try await scratch.using { try await $0.update(Note("new")) }
    }

    @Test func aDatabaseInAReadOnlyDirectoryIsRead() async throws {
      try await makeDatabase(file: 0o644, directory: 0o555)
      let before = scratch.contentsWithoutEmptyLogs
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        await expect(.readOnly) { _ = try await MagicData(path: path) }
        let magic = try await MagicData(path: path, options: MagicOptions(readOnly: true))
        #expect(try await magic.texts().count == 10)
        #expect(try await magic.pictures() == ["a": "picture"])
        #expect(try await magic.verify().isSound)
        await magic.close()
      }
      #expect(scratch.contentsWithoutEmptyLogs == before)
    }

    /// Creates a database whose process exits without closing it: the log and its index remain.
    private func makeUnclean() async throws {
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        let magic = try await MagicData(path: path)
        try await magic.update(Note("a"))
        _exit(0)
      }
      try Rights.changeOwner(of: scratch.path)
    }

    @Test(arguments: ["-shm", "-wal"])
    func theErrorNamesALogFileWithoutWritePermission(suffix: String) async throws {
      try await makeUnclean()
      try Rights.set(0o444, of: scratch.file() + suffix)
      await #expect(processExitsWith: .success) {
        [path = scratch.file() as String, suffix = suffix as String] in
        try Rights.dropPrivileges()
        let error = await expect(.readOnly) { _ = try await MagicData(path: path) }
        #expect(error?.message.contains("with the suffix \(suffix)") == true)
        let magic = try await MagicData(path: path, options: MagicOptions(readOnly: true))
        #expect(try await magic.texts() == ["a"])
        await magic.close()
      }
      // The remedy that the error names works.
      if suffix == "-shm" {
        try FileManager.default.removeItem(atPath: scratch.file() + suffix)
      } else {
        try Rights.set(0o600, of: scratch.file() + suffix)
      }
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        let magic = try await MagicData(path: path)
        try await magic.update(Note("b"))
        await magic.close()
      }
    }

    @Test func theErrorOfAnUncleanDatabaseInAReadOnlyDirectorySaysWhatToDo() async throws {
      try await makeUnclean()
      try FileManager.default.removeItem(atPath: scratch.file() + "-shm")
      try Rights.set(0o555, of: scratch.path)
      let before = scratch.contentsWithoutEmptyLogs
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        for readOnly in [false, true] {
          let error = await expect(.cannotOpen) {
            _ = try await MagicData(path: path, options: MagicOptions(readOnly: readOnly))
          }
          #expect(error?.message.contains("has not closed it") == true)
        }
      }
      #expect(scratch.contentsWithoutEmptyLogs == before)
      // The remedy that the error names works.
      let other = Scratch()
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: scratch.file() + suffix, toPath: other.file() + suffix)
      }
      #expect(try await other.using { try await $0.texts() } == ["a"])
    }

    @Test func aDatabaseWithAnEmptyLogInAReadOnlyDirectoryIsRead() async throws {
      try await makeDatabase(file: 0o444, directory: 0o755)
      try scratch.write(Data(), "test.sqlite3-wal")
      try Rights.set(0o444, of: scratch.file() + "-wal")
      try Rights.set(0o555, of: scratch.path)
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        let magic = try await MagicData(path: path, options: MagicOptions(readOnly: true))
        #expect(try await magic.texts().count == 10)
        await magic.close()
      }
    }

    @Test func aFileWithoutReadPermissionIsRefused() async throws {
      try await makeDatabase(file: 0o000, directory: 0o755)
      let before = scratch.contentsWithoutEmptyLogs
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        for readOnly in [false, true] {
          await expect(.cannotOpen) {
            _ = try await MagicData(path: path, options: MagicOptions(readOnly: readOnly))
          }
        }
      }
      #expect(scratch.contentsWithoutEmptyLogs == before)
    }

    @Test func noDatabaseAndNoBackupIsCreatedInAReadOnlyDirectory() async throws {
      try await makeDatabase(file: 0o444, directory: 0o555)
      let before = scratch.contentsWithoutEmptyLogs
      await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
        try Rights.dropPrivileges()
        for name in ["new.sqlite3", "folder/new.sqlite3"] {
          await expect(.cannotOpen) { _ = try await MagicData(path: folder + "/" + name) }
        }
        let magic = try await MagicData(
          path: folder + "/test.sqlite3", options: MagicOptions(readOnly: true))
        await expect(.readOnly) { try await magic.backup(to: folder + "/copy.sqlite3") }
        await magic.close()
      }
      #expect(scratch.contentsWithoutEmptyLogs == before)
    }

    @Test func aReadOnlyAssetFolderRefusesFilesAndTheTransactionIsRolledBack() async throws {
      try await makeDatabase(file: 0o600, directory: 0o700)
      for name in scratch.contentsWithoutEmptyLogs.keys
      where scratch.contentsWithoutEmptyLogs[name] == .some(nil) {
        try Rights.set(0o500, of: scratch.file(name))
      }
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        try Rights.dropPrivileges()
        let magic = try await MagicData(path: path)
        let photo = Photo("b", "other")
        let error = await expect(.readOnly) { try await magic.update(photo) }
        #expect(error?.type == "Photo")
        #expect(error?.property == "picture")
        #expect(photo.zIndex == nil)
        await expect(.readOnly) {
          try await magic.transaction {
            try $0.update(Note("new"))
            try $0.update(photo)
          }
        }
        #expect(try await magic.texts().count == 10)
        #expect(try await magic.pictures() == ["a": "picture"])
        // An object without files is stored.
        try await magic.update(Note("new"))
        await magic.close()
      }
      for name in scratch.contentsWithoutEmptyLogs.keys
      where scratch.contentsWithoutEmptyLogs[name] == .some(nil) {
        try Rights.set(0o700, of: scratch.file(name))
      }
      try await scratch.using { magic async throws in
        #expect(try await magic.texts().count == 11)
        try await magic.update(Photo("b", "other"))
        #expect(try await magic.pictures() == ["a": "picture", "b": "other"])
        #expect(try await magic.verify().findings == [])
      }
    }
  }

  /// File modes and the privileges of this process.
  enum Rights {
    /// The user ID and group ID of the unprivileged system user.
    private static let unprivilegedID: UInt32 = 65_534

    static func set(_ mode: Int, of path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Makes a directory and its contents the unprivileged user's, if this process runs as root.
    static func changeOwner(of path: String) throws {
      guard geteuid() == 0 else { return }
      let names = try FileManager.default.subpathsOfDirectory(atPath: path)
      for file in [path] + names.map({ path + "/" + $0 }) {
        #expect(lchown(file, unprivilegedID, unprivilegedID) == 0)
      }
    }

    /// Switches this process to the unprivileged user, if it runs as root.
    static func dropPrivileges() throws {
      guard geteuid() == 0 else { return }
      try #require(setgid(unprivilegedID) == 0)
      try #require(setuid(unprivilegedID) == 0)
    }
  }
#endif
