import CMemory
import Foundation
import MagicTestSupport
import Testing

/// Many concurrent tasks that use all features of one database find the expected results, and their
/// use of memory, descriptors, threads and disk space does not grow.
@Suite struct SoakTests {
  /// The flaws of the program, the seconds after which each is found at the latest, and the start
  /// of the finding. The first two are found soonest.
  private static let flaws = [
    ("leavesFile", 3, "files"),
    ("missesEvent", 4, "census"),
    ("leaksDescriptors", 6, "grown: descriptors"),
    ("leaksObjects", 8, "grown: allocated"),
    ("losesSave", 30, "task"),
    ("changesSum", 30, "sum"),
  ]
  /// `ci/reliability` sets `MAGIC_SOAK_SECONDS=1800`.
  private static let seconds = Effort("SOAK", rounds: 8, long: 14, unit: "SECONDS")

  @Test func nothingIsLostAndNothingGrows() throws {
    let (lines, status) = try run("sound", seconds: Self.seconds.rounds)
    print("Soak, seed \(Self.seconds.seed):\n\(lines.joined(separator: "\n"))")
    #expect(status == 0)
    #expect(findings(lines) == [])
    // The absence of findings is significant only if all calls and checks were made.
    for call in ["backup", "cancelled", "change", "refuse", "nest", "violate", "watch changes"] {
      #expect(lines.first?.contains(" \(call) ") == true, "there was no \(call)")
    }
    for check in ["backup has", "census", "crate", "opened again", "sum", "verify"] {
      #expect(lines.dropFirst().first?.contains(" \(check) ") == true, "\(check) was not checked")
    }
  }

  /// A control: the same checks find deliberate flaws.
  @Test(arguments: Effort.choose(first: 2, of: flaws))
  func aFlawIsFound(_ mode: String, seconds: Int, _ finding: String) throws {
    guard mode != "leaksObjects" || !cmemory_is_sanitized() else { return }
    let (lines, status) = try run(mode, seconds: seconds)
    #expect(status == 1)
    #expect(findings(lines).contains { $0.hasPrefix("found: \(finding)") }, "\(lines)")
  }

  private func run(_ mode: String, seconds: Int) throws -> (lines: [String], status: Int32?) {
    try withTemporaryDirectory { directory in
      let path = directory.appendingPathComponent("test.sqlite3").path
      let (output, status) = try StartedChild(
        "SoakProgram", [path, mode, "\(seconds)", "\(Self.seconds.seed)"],
        environment: mode == "sound" ? Self.leakOptions : [:]
      ).end()
      return (
        String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init), status
      )
    }
  }

  /// Environment variables with which a program built for Address Sanitizer reports leaks at its
  /// exit. It keeps little freed memory: by default it keeps 256 MiB, which on a slow machine is
  /// reached only at the end of the test, so that the memory grows until then.
  private static let leakOptions = [
    "ASAN_OPTIONS": "detect_leaks=1:quarantine_size_mb=16",
    "LSAN_OPTIONS": "suppressions=\(knownLeaks):print_suppressions=0",
  ]

  private static let knownLeaks = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ci/leaks").path

  private func findings(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("found: ") } }
}
