import Foundation
import MagicData
import MagicDataTesting
import MagicTestSupport
import Testing

@Suite struct CopyingTests {
  @Test func theCopyHasTheRecordedContents() async throws {
    let recorded = try await Recorded()
    let magic = try await MagicMigrationFixture(copying: recorded.file).open()
    let people = try await magic.object(of: First.Person.self)
    #expect(Set(people.map(\.name)) == ["Ada", "Bob", "Eve"])
    let ada = try #require(people.first { $0.name == "Ada" })
    #expect(ada.friends.map(\.name) == ["Bob", "Eve"])
    #expect(ada.picture?.value == Data([1, 2, 3]))
    await magic.close()
  }

  @Test func theOriginalIsNotChanged() async throws {
    let recorded = try await Recorded()
    let before = try recorded.content()
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    try await fixture.migrate(Second.Person.self)
    let magic = try await fixture.open()
    try await magic.removeAll(of: Second.Person.self)
    await magic.close()
    #expect(try recorded.content() == before)
  }

  @Test func readOnlyFilesAreCopiedToo() async throws {
    let recorded = try await Recorded()
    for (name, content) in try recorded.content() {
      let path = recorded.file.deletingLastPathComponent().appendingPathComponent(name).path
      try FileManager.default.setAttributes(
        [.posixPermissions: content == nil ? 0o500 : 0o400], ofItemAtPath: path)
    }
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    try await fixture.migrate(Second.Person.self)
    let magic = try await fixture.open()
    try await magic.removeAll(of: Second.Person.self)
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.file.path)[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func symbolicLinksAreFollowed() async throws {
    let recorded = try await Recorded()
    let link = recorded.directory.file("link.sqlite3")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: recorded.file)
    let fixture = try MagicMigrationFixture(copying: link)
    try await fixture.migrate(Second.Person.self)
    let magic = try await fixture.open()
    let pictures = try await magic.object(of: Second.Person.self).compactMap { $0.picture }
    #expect(pictures.first?.value == Data([1, 2, 3]))
    await magic.close()
  }

  @Test func aLogThatWasNotCheckpointedIsCopied() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("live.sqlite3")
    let magic = try await MagicData(path: file)
    try await magic.update(First.Person("Ada"))
    let fixture = try MagicMigrationFixture(copying: file)
    let copy = try await fixture.open()
    #expect(try await copy.object(of: First.Person.self).map(\.name) == ["Ada"])
    await copy.close()
    await magic.close()
  }

  @Test func aDirectoryRefersToTheDatabaseInIt() async throws {
    let directory = try TemporaryDirectory()
    let magic = try await MagicData(path: directory.url)
    try await magic.update(First.Person("Ada"))
    await magic.close()
    let fixture = try MagicMigrationFixture(copying: directory.url)
    #expect(fixture.file.lastPathComponent == "default.sqlite3")
    let copy = try await fixture.open()
    #expect(try await copy.object(of: First.Person.self).count == 1)
    await copy.close()
  }

  @Test func eachCopyIsIndependent() async throws {
    let recorded = try await Recorded()
    let (one, other) = (
      try MagicMigrationFixture(copying: recorded.file),
      try MagicMigrationFixture(copying: recorded.file)
    )
    let magic = try await one.open()
    try await magic.removeAll(of: First.Person.self)
    await magic.close()
    let untouched = try await other.open()
    #expect(try await untouched.object(of: First.Person.self).count == 3)
    await untouched.close()
  }

  @Test func theCopyIsRemovedWithItsLastUser() async throws {
    let recorded = try await Recorded()
    var fixture: MagicMigrationFixture? = try MagicMigrationFixture(copying: recorded.file)
    let file = try #require(fixture?.file)
    var magic: MagicData? = try await fixture?.open()
    #expect(FileManager.default.fileExists(atPath: file.path))
    fixture = nil
    // An open database needs the files, also those of assets.
    let ada = try await magic?.object(of: First.Person.self).first { $0.name == "Ada" }
    #expect(ada?.picture?.value == Data([1, 2, 3]))
    await magic?.close()
    magic = nil
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
  }

  @Test(arguments: [true, false]) func aReadOnlyCopyIsRemovedToo(_ isOpened: Bool) async throws {
    let recorded = try await Recorded()
    var fixture: MagicMigrationFixture? = try MagicMigrationFixture(copying: recorded.file)
    let file = try #require(fixture?.file)
    if isOpened {
      let magic = try await fixture?.open(options: .init(readOnly: true))
      fixture = nil
      #expect(try await magic?.object(of: First.Person.self).count == 3)
      await magic?.close()
    }
    fixture = nil
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func filesThatAreNotDatabasesAreRefused() async throws {
    let directory = try TemporaryDirectory()
    func refusal(_ url: URL?) -> MagicError.Code? {
      guard let url else { return nil }
      return #expect(throws: MagicError.self) { try MagicMigrationFixture(copying: url) }?.code
    }
    #expect(refusal(directory.file("none.sqlite3")) == .cannotOpen)
    #expect(refusal(directory.url) == .cannotOpen)
    #expect(refusal(URL(string: "https://example.org/1.0.sqlite3")) == .cannotOpen)
    let empty = directory.file("empty.sqlite3")
    try Data().write(to: empty)
    #expect(refusal(empty) == .cannotOpen)
    let text = directory.file("text.sqlite3")
    try Data("version https://git-lfs.github.com/spec/v1".utf8).write(to: text)
    let fixture = try MagicMigrationFixture(copying: text)
    let error = await #expect(throws: MagicError.self) {
      try await fixture.migrate(Second.Person.self)
    }
    #expect(error?.code == .notADatabase)
  }
}
