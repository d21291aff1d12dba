import CMemory
import Foundation
import MagicTestSupport
import Testing

/// Many tasks that use one database in every way at once find what they must, and take no more of
/// memory, descriptors, threads and disk in the end than in the beginning.
@Suite struct SoakTests {
  /// Modes of the program, how many seconds each needs at most, and what is found. The first two need
  /// the least.
  private static let flaws = [
    ("litterer", 3, "files"),
    ("deaf", 4, "census"),
    ("opener", 6, "grown: descriptors"),
    ("keeper", 8, "grown: allocated"),
    ("loser", 30, "task"),
    ("forger", 30, "sum"),
  ]
  /// `MAGIC_SOAK_SECONDS=1800` is the form of `ci/reliability`.
  private static let seconds = Effort("SOAK", rounds: 8, long: 14, unit: "SECONDS")

  @Test func nothingIsLostAndNothingGrows() throws {
    let (lines, status) = try run("sound", seconds: Self.seconds.rounds)
    print("Soak, seed \(Self.seconds.seed):\n\(lines.joined(separator: "\n"))")
    #expect(status == 0)
    #expect(findings(lines) == [])
    // That it found nothing means something where it did something of everything.
    for call in ["backup", "cancelled", "change", "refuse", "nest", "violate", "watch changes"] {
      #expect(lines.first?.contains(" \(call) ") == true, "there was no \(call)")
    }
    for check in ["backup has", "census", "crate", "opened again", "sum", "verify"] {
      #expect(lines.dropFirst().first?.contains(" \(check) ") == true, "\(check) was not checked")
    }
  }

  /// The same checks see that a promise is broken: that they find nothing else means something.
  @Test(arguments: Effort.choose(first: 2, of: flaws))
  func aFlawIsFound(_ mode: String, seconds: Int, _ finding: String) throws {
    guard mode != "keeper" || !cmemory_is_sanitized() else { return }
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

  /// A program that was built for Address Sanitizer tells of what is lost when it ends.
  private static let leakOptions = [
    "ASAN_OPTIONS": "detect_leaks=1",
    "LSAN_OPTIONS": "suppressions=\(knownLeaks):print_suppressions=0",
  ]

  private static let knownLeaks = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ci/leaks").path

  private func findings(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("found: ") } }
}
