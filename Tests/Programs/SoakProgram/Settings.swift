/// What the program is started with: path, mode, seconds, seed.
struct Settings: Sendable {
  let path: String
  let mode: Mode
  let seconds: Double
  let seed: UInt64

  /// How many tasks work at once.
  static let tasks = 64

  /// What comes before the measurements: caches fill, types are met for the first time.
  var warmUp: Double { min(seconds / 4, 60) }
  /// The time between two measurements.
  var interval: Double { min(1, seconds / 60) }

  init?(words: [String]) {
    guard words.count == 4, let mode = Mode(rawValue: words[1]), let seconds = Double(words[2]),
      let seed = UInt64(words[3])
    else { return nil }
    path = words[0]
    self.mode = mode
    self.seconds = seconds
    self.seed = seed
  }
}
