import FuzzTargets
import MagicTestSupport
import Testing

/// Any message of logical decoding is refused as malformed, or is read within its bounds.
@Suite struct HostileStreamsTests {
  @Test func messagesAreReadOrRefused() {
    DrawnInput.each(Effort("STREAMS", rounds: 20_000, long: 1_000_000), upTo: 80) {
      try HostileStreams.run($0)
    }
  }
}
