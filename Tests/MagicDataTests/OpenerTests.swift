import CSQLiteVersion
import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

@Suite struct OpenerTests {
  let scratch = Scratch()

  @Test func aPathThatNamesNoDirectoryIsTheDatabase() async throws {
    let magic = try await MagicData(path: scratch.file("people.db"))
    try await magic.update(Note("a"))
    await magic.close()
    #expect(scratch.names == ["people.db"])
  }

  @Test func aFileURLAndItsPathAreOneDatabase() async throws {
    let url = URL(fileURLWithPath: scratch.file("a b%20ü.db"))
    let magic = try await MagicData(path: url)
    try await magic.update(Note("a"))
    let other = try await MagicData(path: url.path)
    #expect(try await other.object(of: Note.self).count == 1)
    await magic.close()
    await other.close()
    #expect(scratch.names == ["a b%20ü.db"])
  }

  @Test func anUnsupportedLibraryIsRefusedBeforeAFileIsCreated() async {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      csqliteversion_pretend(3_031_001, true)
      let old = await #expect(throws: MagicError.self) {
        _ = try await MagicData(path: scratch.file("a/people.db"))
      }
      #expect(
        old?.description
          == "unsupportedSQLite: SQLite 3.31.1 is too old: the oldest supported version is 3.32.3.")
      csqliteversion_pretend(0, false)
      let single = await #expect(throws: MagicError.self) { _ = try await MagicData(type: .memory) }
      #expect(single?.code == .unsupportedSQLite)
      #expect(scratch.names.isEmpty)
    }
  }

  @Test func aURLThatIsNotAFileURLIsRefused() async throws {
    let url = try #require(URL(string: "https://example.com/a.db"))
    let error = await #expect(throws: MagicError.self) { _ = try await MagicData(path: url) }
    #expect(error?.code == .cannotOpen)
  }

  @Test func anExistingDirectoryGetsADefaultFile() async throws {
    let magic = try await MagicData(path: scratch.path)
    try await magic.update(Note("a"))
    await magic.close()
    #expect(scratch.names == ["default.sqlite3"])
    let again = try await MagicData(path: scratch.path + "/")
    #expect(try await again.object(of: Note.self).count == 1)
  }

  @Test func missingDirectoriesAreCreated() async throws {
    let magic = try await MagicData(path: scratch.file("a/b/c/people.db"))
    try await magic.update(Note("a"))
    await magic.close()
    #expect(scratch.names == ["a", "a/b", "a/b/c", "a/b/c/people.db"])
  }

  @Test func theNamesOfTheSideFilesBeginWithTheNameOfTheDatabase() async throws {
    let magic = try await MagicData(path: scratch.file("people.db"))
    try await magic.update(contentsOf: (0..<100).map { Note("\($0)") })
    _ = try await magic.object(of: Note.self)
    #expect(scratch.names.count > 1)
    #expect(scratch.names.allSatisfy { $0.hasPrefix("people.db") })
    withExtendedLifetime(magic) {}
  }

  @Test func onlyTheOwnerCanAccessANewFile() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("a"))
    for name in scratch.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file(name))
      #expect(attributes[.posixPermissions] as? NSNumber == 0o600, "\(name)")
    }
    await magic.close()
  }

  @Test func anEmptyPathAndAPathWithANULAreRefused() async throws {
    for path in ["", scratch.file("a\0b")] {
      let error = await #expect(throws: MagicError.self) { _ = try await MagicData(path: path) }
      #expect(error?.code == .cannotOpen)
    }
    #expect(scratch.names == [])
  }

  @Test func aPathBelowAFileIsRefused() async throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.file("file")))
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData(path: scratch.file("file/people.db"))
    }
    #expect(error?.code == .cannotOpen)
    #expect(scratch.names == ["file"])
  }

  @Test func withoutAPathTheDatabaseIsInTheDocumentsDirectory() async throws {
    await #expect(processExitsWith: .success) { [home = scratch.path as String] in
      // Without this variable Foundation reads the home directory from the user database.
      setenv("CFFIXED_USER_HOME", home, 1)
      setenv("HOME", home, 1)
      setenv("XDG_CONFIG_HOME", home + "/.config", 1)
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
      let directory = try #require(documents.first).path
      try #require(directory.hasPrefix(home))
      for options in [MagicOptions(readOnly: true), MagicOptions(mustExist: true)] {
        let error = await #expect(throws: MagicError.self) {
          _ = try await MagicData(options: options)
        }
        #expect(error?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: directory))
      }
      let magic = try await MagicData()
      try await magic.update(Note("a"))
      await magic.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["default.sqlite3"])
      let again = try await MagicData()
      #expect(try await again.object(of: Note.self).count == 1)
    }
  }

  @Test func aStoreReopensWithWhatWasSaved() async throws {
    for round in 0..<3 {
      let magic = try await MagicData(path: scratch.file())
      #expect(try await magic.object(of: Note.self).count == round)
      try await magic.update(Note("round \(round)"))
      await magic.close()
    }
  }
}
