/// The command-line arguments of the program: path, mode, seconds, seed.
struct Settings: Sendable {
  let path: String
  let mode: Mode
  let seconds: Double
  let seed: UInt64

  /// The number of concurrent tasks.
  static let tasks = 64

  /// The time before the measurements, in which caches fill and types are used for the first time.
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
