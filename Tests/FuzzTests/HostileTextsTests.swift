import FuzzTargets
import MagicTestSupport
import Testing

/// Any text of a predicate is refused with an error of the library, or is a predicate that can be
/// printed, encoded and run.
@Suite struct HostileTextsTests {
  @Test func textsAreParsedOrRefused() {
    DrawnInput.each(Effort("TEXTS", rounds: 1_500, long: 60_000), upTo: 60) {
      try HostileTexts.run($0)
    }
  }
}
