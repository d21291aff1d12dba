import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Backups.
@Suite struct CopyingTests {
  let scratch = Scratch()

  private func copy(_ name: String = "copy.sqlite3") throws -> MagicObjectStore {
    try MagicObjectStore.open(.file(scratch.file(name)))
  }

  /// The names in the directory without those of the database itself.
  private var others: [String] {
    scratch.contents.keys.filter { !$0.hasPrefix("test.sqlite3") }.sorted()
  }

  @Test(arguments: [MagicStoreLocation.memory, .temporary])
  func aDatabaseWithoutAFileIsBackedUpToOne(location: MagicStoreLocation) throws {
    let store = try MagicObjectStore.open(location)
    defer { store.close() }
    try store.update(contentsOf: (0..<100).map { Note("\($0)") })
    try store.backup(to: scratch.file("copy.sqlite3"))
    #expect(others == ["copy.sqlite3"])
    let copy = try copy()
    defer { copy.close() }
    #expect(try copy.object(of: Note.self).map(\.text) == (0..<100).map { "\($0)" })
    try copy.update(Note("more"))
    #expect(try store.object(of: Note.self).count == 100)
  }

  @Test func theBackupHasTheSameRowsAndIsIndependent() throws {
    let store = try scratch.open()
    defer { store.close() }
    let note = Note("a")
    try store.update(contentsOf: [Note("gone"), note])
    try store.remove(try store.object(of: Note.self)[0])
    try store.backup(to: scratch.file("copy.sqlite3"))
    note.text = "b"
    try store.update(note)
    let copy = try copy()
    defer { copy.close() }
    let copied = try copy.object(of: Note.self)
    #expect(copied.map(\.text) == ["a"])
    #expect(copied.map(\.zIndex) == [ZIndex(rawValue: 2)])
    try copy.remove(copied[0])
    #expect(try store.object(of: Note.self).map(\.text) == ["b"])
    #expect(try copy.verify().findings == [])
  }

  @Test func theBackupIsOneFileThatOnlyItsOwnerCanAccess() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    try store.backup(to: scratch.file("copy.sqlite3"))
    #expect(others == ["copy.sqlite3"])
    let attributes = try FileManager.default.attributesOfItem(
      atPath: scratch.file("copy.sqlite3"))
    #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
  }

  @Test func aReadOnlyDatabaseIsBackedUp() throws {
    try scratch.using { store throws in _ = try store.update(Note("a")) }
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      try store.backup(to: scratch.file("copy.sqlite3"))
    }
    let copy = try copy()
    defer { copy.close() }
    #expect(try copy.object(of: Note.self).map(\.text) == ["a"])
  }

  @Test func missingDirectoriesAreCreatedAndADirectoryReceivesADefaultFile() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    try store.backup(to: scratch.file("x/y/copy.sqlite3"))
    try store.backup(to: URL(fileURLWithPath: scratch.file("x/y")))
    #expect(others == ["x", "x/y", "x/y/copy.sqlite3", "x/y/default.sqlite3"])
  }

  @Test(arguments: ["", "-wal", "-journal", "-shm", "-assets"])
  func anExistingFileAtThePathIsNotChanged(suffix: String) throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    try scratch.write(Data("mine".utf8), "copy.sqlite3" + suffix)
    let error = #expect(throws: MagicError.self) {
      try store.backup(to: scratch.file("copy.sqlite3"))
    }
    #expect(error?.code == .fileExists)
    #expect(others == ["copy.sqlite3" + suffix])
    #expect(scratch.contents["copy.sqlite3" + suffix] == Data("mine".utf8))
  }

  @Test func aFileThatIsCreatedAtThePathMeanwhileIsNotChanged() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    let error = #expect(throws: MagicError.self) {
      try store.backup(to: scratch.file("copy.sqlite3")) { _ in
        try? scratch.write(Data("mine".utf8), "copy.sqlite3")
      }
    }
    #expect(error?.code == .fileExists)
    #expect(others == ["copy.sqlite3"])
    #expect(scratch.contents["copy.sqlite3"] == Data("mine".utf8))
  }

  @Test func aDanglingSymbolicLinkAtThePathIsNotChanged() throws {
    let store = try scratch.open()
    defer { store.close() }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("copy.sqlite3"), withDestinationPath: scratch.file("nowhere"))
    #expect(throws: MagicError.self) { try store.backup(to: scratch.file("copy.sqlite3")) }
    #expect(others == ["copy.sqlite3"])
  }

  @Test func theDatabaseIsNotBackedUpToItself() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    for path in [scratch.file(), scratch.path + "/./test.sqlite3"] {
      let error = #expect(throws: MagicError.self) { try store.backup(to: path) }
      #expect(error?.code == .fileExists)
    }
    for suffix in ["-wal", "-journal", "-shm", "-assets", "-assets/copy"] {
      let error = #expect(throws: MagicError.self) {
        try store.backup(to: scratch.file() + suffix)
      }
      #expect(error?.code == .cannotOpen, "\(suffix)")
    }
    #expect(try store.object(of: Note.self).map(\.text) == ["a"])
  }

  @Test(arguments: ["", "a\0b"])
  func anInvalidPathIsRefused(path: String) throws {
    let store = try scratch.open()
    defer { store.close() }
    let error = #expect(throws: MagicError.self) { try store.backup(to: path) }
    #expect(error?.code == .cannotOpen)
  }

  @Test func aFileInPlaceOfADirectoryIsRefused() throws {
    let store = try scratch.open()
    defer { store.close() }
    try scratch.write(Data(), "file")
    let error = #expect(throws: MagicError.self) {
      try store.backup(to: scratch.file("file/copy.sqlite3"))
    }
    #expect(error?.code == .cannotOpen)
    #expect(others == ["file"])
  }

  @Test func aWebURLIsRefused() throws {
    let store = try scratch.open()
    defer { store.close() }
    let url = try #require(URL(string: "https://example.org/copy.sqlite3"))
    let error = #expect(throws: MagicError.self) { try store.backup(to: url) }
    #expect(error?.code == .cannotOpen)
  }

  @Test func progressStartsAtZeroIncreasesAndEndsAtTheTotal() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(
      contentsOf: (0..<20_000).map { Note("\($0) \(String(repeating: "x", count: 200))") })
    var seen: [MagicBackupProgress] = []
    try store.backup(to: scratch.file("copy.sqlite3")) { seen.append($0) }
    #expect(seen.count > 3)
    #expect(seen.first?.fraction == 0)
    #expect(seen.last?.fraction == 1)
    #expect(seen.last.map { $0.pagesDone == $0.pageCount && $0.pageCount > 1_000 } == true)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bytesDone <= $1.bytesDone })
  }

  @Test func theBackupHasTheStateAtItsStart() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(
      contentsOf: (0..<5_000).map { Note("\($0) \(String(repeating: "x", count: 500))") })
    let raw = try scratch.raw()
    var written = 0
    try store.backup(to: scratch.file("copy.sqlite3")) { _ in
      try? raw.execute("DELETE FROM Note WHERE z_index % 7 = \(written % 7)")
      written += 1
    }
    raw.close()
    #expect(written > 3)
    let copy = try copy()
    defer { copy.close() }
    #expect(try copy.object(of: Note.self).count == 5_000)
    #expect(try copy.verify().findings == [])
  }

  #if os(Linux)
    @Test func aFullDiskLeavesNoBackup() async throws {
      await #expect(processExitsWith: .success) { [path = scratch.path as String] in
        signal(SIGXFSZ, SIG_IGN)
        try copyBeyondLimit(path)
      }
      #expect(others == [])
    }
  #endif

  @Test func aDirectoryWithoutWritePermissionIsRefused() throws {
    guard geteuid() != 0 else { return }
    let store = try scratch.open()
    defer { store.close() }
    try FileManager.default.createDirectory(
      atPath: scratch.file("locked"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o500])
    let error = #expect(throws: MagicError.self) {
      try store.backup(to: scratch.file("locked/copy.sqlite3"))
    }
    #expect(error?.code == .readOnly)
  }
}

#if os(Linux)
  /// Backs up a database while the limit of file sizes is smaller than the database.
  private func copyBeyondLimit(_ path: String) throws {
    let store = try MagicObjectStore.open(.file(path + "/test.sqlite3"))
    defer { store.close() }
    try store.update(
      contentsOf: (0..<2_000).map { Note("\($0) \(String(repeating: "x", count: 500))") })
    var rights = rlimit(rlim_cur: 256 * 1024, rlim_max: .max)
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &rights) == 0)
    let error = #expect(throws: MagicError.self) { try store.backup(to: path + "/copy.sqlite3") }
    #expect([.diskFull, .inputOutput].contains(error?.code))
    rights.rlim_cur = .max
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &rights) == 0)
    #expect(try store.object(of: Note.self).count == 2_000)
  }
#endif
