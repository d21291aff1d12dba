import MagicTestSupport
import Testing

/// Random inputs of the targets: the same for the same seed.
struct DrawnInput {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed) }

  /// Bytes, of which small ones are as frequent as all others: they select operations.
  mutating func bytes(upTo limit: Int) -> [UInt8] {
    (0..<Int.random(in: 2...limit, using: &random)).map { _ in
      Bool.random(using: &random)
        ? UInt8.random(in: 0..<16, using: &random) : UInt8.random(in: 0...255, using: &random)
    }
  }

  /// Runs a target on inputs, each from its own seed.
  static func each(_ effort: Effort, upTo limit: Int, _ run: ([UInt8]) throws -> Void) {
    for round in 0..<effort.rounds {
      var input = DrawnInput(seed: effort.seed &+ UInt64(round))
      let bytes = input.bytes(upTo: limit)
      do {
        try run(bytes)
      } catch {
        Issue.record("seed \(effort.seed &+ UInt64(round)), \(bytes): \(error)")
      }
    }
  }

  /// The first seed whose input has a finding; nil if none of this number of seeds has one.
  static func firstFinding(
    among count: Int, upTo limit: Int, _ run: ([UInt8]) throws -> Void
  ) -> Int? {
    (0..<count).first { seed in
      var input = DrawnInput(seed: UInt64(seed))
      let bytes = input.bytes(upTo: limit)
      do {
        try run(bytes)
        return false
      } catch {
        return true
      }
    }
  }
}
