import FuzzTargets
import MagicTestSupport
import Testing

/// Files that somebody has damaged, or made to do harm, are refused or read.
@Suite struct HostileFileTests {
  @Test func damagedFilesAreRefusedOrRead() {
    DrawnInput.each(Effort("HOSTILE", rounds: 40, long: 120), upTo: 64) { try HostileFile.run($0) }
  }

  /// Each by itself, for reading alone and for writing at once.
  @Test(arguments: [UInt8(1), 8]) func aHostileSchemaDoesNoHarm(manner: UInt8) {
    for edit in 0..<HostileFile.schemaEditCount {
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
