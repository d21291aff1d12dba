import Foundation
import MagicDataTesting
import MagicStore
import Testing

/// Writes a fixture, once for every format, with a command that `CONTRIBUTING.md` names.
@Suite struct FixtureWriting {
  private static let path = ProcessInfo.processInfo.environment["MAGIC_FIXTURE"]

  @Test(.enabled(if: path != nil, "MAGIC_FIXTURE is the path of the new file."))
  func aFixtureIsWrittenToANewFile() throws {
    let file = URL(fileURLWithPath: try #require(Self.path))
    try #require(!FileManager.default.fileExists(atPath: file.path))
    try Fixture.write(file)
    let report = try MagicMigrationFixture(copying: file).using { try $0.verify() }
    #expect(report.findings == [])
  }
}
