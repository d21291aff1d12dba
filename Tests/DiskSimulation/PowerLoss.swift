import MagicTestSupport

/// Decides at random, from a seed, which of the changes that are not durable a power failure keeps.
package struct PowerLoss {
  enum Fate {
    case kept, lost
    /// Some sectors are written.
    case torn
  }

  private var random: SeededRandom
  /// The probability that a change of a file is kept, at least in part.
  private let keeping: Double
  /// The probability that a change of a name in a directory is kept.
  private let keepingNames: Double
  private let tearing: Double

  init(seed: UInt64) {
    random = SeededRandom(seed)
    keeping = [0, 0.1, 0.5, 0.5, 0.9, 1].randomElement(using: &random) ?? 0.5
    keepingNames = keeping
    tearing = [0, 0.3].randomElement(using: &random) ?? 0
  }

  private init(keeping: Double, keepingNames: Double) {
    random = SeededRandom(0)
    self.keeping = keeping
    self.keepingNames = keepingNames
    tearing = 0
  }

  /// All changes of names in directories are kept, and no other unsynced change.
  package static var keepingOnlyNames: PowerLoss { PowerLoss(keeping: 0, keepingNames: 1) }

  /// All writes to files are kept, and no unsynced change of names in directories.
  package static var keepingOnlyWrites: PowerLoss { PowerLoss(keeping: 1, keepingNames: 0) }

  mutating func fate() -> Fate {
    guard Double.random(in: 0..<1, using: &random) < keeping else { return .lost }
    return Double.random(in: 0..<1, using: &random) < tearing ? .torn : .kept
  }

  mutating func keepsSector() -> Bool { Bool.random(using: &random) }

  /// Whether the present entry of a name in a directory is kept instead of the durable one.
  mutating func keepsName() -> Bool {
    Double.random(in: 0..<1, using: &random) < keepingNames
  }
}
