import Foundation
import MagicData
import MagicDataTesting
import MagicTestSupport
import Testing

@Suite struct RecordingTests {
  @Test func aFixtureIsAFileAndAFolder() async throws {
    let names = try await Recorded().content().keys.filter { !$0.contains("/") }
    #expect(names.sorted() == ["1.0.sqlite3", "1.0.sqlite3-assets"])
  }

  @Test func withoutAssetsItIsOneFile() async throws {
    let recorded = try await Recorded()
    let magic = try await MagicData(type: .memory)
    try await magic.update(First.Person("Bob"))
    let file = recorded.directory.file("plain/plain.sqlite3")
    try await MagicMigrationFixture.record(magic, to: file)
    let folder = file.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["plain.sqlite3"])
  }

  @Test func aFixtureIsNotReplaced() async throws {
    let recorded = try await Recorded()
    let before = try recorded.content()
    let magic = try await MagicData(type: .temporary)
    try await magic.update(First.Person("Bob"))
    let error = await #expect(throws: MagicError.self) {
      try await MagicMigrationFixture.record(magic, to: recorded.file)
    }
    #expect(error?.code == .fileExists)
    #expect(try recorded.content() == before)
  }

  @Test func theDatabaseStaysOpen() async throws {
    let recorded = try await Recorded()
    let magic = try await MagicData(type: .temporary)
    try await magic.update(First.Person("Bob"))
    try await MagicMigrationFixture.record(magic, to: recorded.directory.file("other.sqlite3"))
    try await magic.update(First.Person("Eve"))
    #expect(try await magic.object(of: First.Person.self).count == 2)
  }
}
