import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// No value that is stored or queried appears in an error, in its cause, in the findings of
/// `verify`, or in the log.
@Suite struct SecrecyTests {
  static let marker = "S3CRET-MARKER"

  /// A call that throws an error, and the code of that error.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: MagicError.Code
    let provoke: @Sendable (Archive) async throws -> Void

    init(
      _ name: String, _ code: MagicError.Code,
      _ provoke: @escaping @Sendable (Archive) async throws -> Void
    ) {
      testDescription = name
      self.code = code
      self.provoke = provoke
    }
  }

  @Test(arguments: Self.values + Self.statements + Self.files + Self.migrations)
  func noValueIsInAnErrorOrTheLog(fault: Fault) async throws {
    let archive = try await Archive()
    let error = await #expect(throws: MagicError.self) { try await fault.provoke(archive) }
    let known = try #require(error)
    #expect(known.code == fault.code, "\(known)")
    for text in Self.texts(of: known) { #expect(!text.contains(Self.marker)) }
    let lines = archive.log.all
    #expect(lines.contains { $0.contains("INSERT") })
    for line in lines { #expect(!line.contains(Self.marker)) }
    await archive.magic.close()
  }

  /// All texts of an error and of its causes.
  private static func texts(of error: any Error) -> [String] {
    var texts = ["\(error)", String(describing: error), error.localizedDescription]
    if let error = error as? MagicError {
      texts += [error.message, error.type ?? "", error.property ?? ""]
      texts += [error.plan.map { "\($0)" } ?? ""]
      if let cause = error.cause { texts += Self.texts(of: cause) }
    }
    if let error = error as? SQLiteError { texts += [error.message, error.sql ?? ""] }
    return texts
  }

  @Test func noValueIsInTheFindingsOfVerify() async throws {
    let archive = try await Archive()
    let raw = try archive.scratch.raw()
    try raw.execute(
      """
      PRAGMA foreign_keys = OFF; DROP TRIGGER "Secret assets change";
      DELETE FROM Secret WHERE id = '\(Self.marker) needed';
      UPDATE Secret SET report = '\(Self.marker)' WHERE id = '\(Self.marker) 2'
      """)
    raw.close()
    let secret = try await archive.secret
    try FileManager.default.removeItem(at: try #require(secret.report.path))
    let report = try await archive.magic.verify()
    let kinds = Set(report.findings.map(\.kind))
    #expect(kinds.isSuperset(of: [.brokenReference, .missingFile, .noFileName]))
    #expect(!"\(report)".contains(Self.marker))
    for finding in report.findings { #expect(!finding.message.contains(Self.marker)) }
    await archive.magic.close()
  }

  @Test func valuesAreInTheLogIfTheOptionIsSet() async throws {
    let archive = try await Archive(MagicOptions(logsValues: true))
    #expect(archive.log.all.contains { $0.contains(Self.marker) })
    await archive.magic.close()
  }
}
