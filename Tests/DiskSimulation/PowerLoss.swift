import MagicTestSupport

/// What happens to each thing that is not on the disk for certain when the power fails; follows from
/// a seed.
package struct PowerLoss {
  enum Fate {
    case kept, lost
    /// Some of its sectors are written.
    case torn
  }

  private var random: SeededRandom
  /// How likely a change of a file is to be kept at all: all, none or some.
  private let keeping: Double
  /// The same of the names in directories.
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

  /// All names in directories are on the disk, and nothing else that was not synced.
  package static var ofAllButNames: PowerLoss { PowerLoss(keeping: 0, keepingNames: 1) }

  /// What was written is on the disk, but of the names in directories those that were synced.
  package static var ofNames: PowerLoss { PowerLoss(keeping: 1, keepingNames: 0) }

  mutating func fate() -> Fate {
    guard Double.random(in: 0..<1, using: &random) < keeping else { return .lost }
    return Double.random(in: 0..<1, using: &random) < tearing ? .torn : .kept
  }

  mutating func keepsSector() -> Bool { Bool.random(using: &random) }

  /// Whether a directory has the name that it has now, in the place of the one that is on the disk.
  mutating func keepsName() -> Bool {
    Double.random(in: 0..<1, using: &random) < keepingNames
  }
}
