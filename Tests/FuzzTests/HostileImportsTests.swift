import FuzzTargets
import MagicTestSupport
import Testing

/// Any file or document is refused with an error of the library, and nothing is changed, or the database is
/// sound after it was imported.
@Suite struct HostileImportsTests {
  @Test func filesAreImportedOrRefused() {
    DrawnInput.each(Effort("IMPORTS", rounds: 120, long: 10_000), upTo: 60) {
      try HostileImports.run($0)
    }
  }
}
