import FuzzTargets
import MagicTestSupport
import Testing

/// Damaged or malicious files are refused or read.
@Suite struct HostileFileTests {
  @Test func damagedFilesAreRefusedOrRead() {
    DrawnInput.each(Effort("HOSTILE", rounds: 25, long: 120), upTo: 64) { try HostileFile.run($0) }
  }

  /// Each edit alone, opened read-only and opened with an immediate write; the short form tests
  /// fewer.
  @Test(arguments: [UInt8(1), 8]) func aHostileSchemaDoesNoHarm(manner: UInt8) {
    let first = manner == 1 ? 0 : Effort.choose(1, long: 0)
    let edits = stride(
      from: first, to: HostileFile.schemaEditCount, by: Effort.choose(2, long: 1))
    for edit in edits {
      #expect(throws: Never.self, "edit \(edit)") {
        try HostileFile.run([6, manner, UInt8(edit)])
      }
    }
  }

  @Test(arguments: Effort.choose(first: 1, of: FileFlaw.allCases)) func aFlawIsFound(
    _ flaw: FileFlaw
  ) {
    #expect(
      DrawnInput.firstFinding(among: 400, upTo: 24) { try HostileFile.run($0, flaw: flaw) } != nil)
  }
}
