/// What the program is started with: five words.
package struct Arguments: Sendable {
  package let path: String
  package let mode: Mode
  package let seed: UInt64
  /// The step at which the program ends; nil for one that works until it is ended.
  package let step: Step?
  /// The how manyeth such step it is.
  package let count: Int

  package init(path: String, mode: Mode, seed: UInt64, step: Step? = nil, count: Int = 0) {
    self.path = path
    self.mode = mode
    self.seed = seed
    self.step = step
    self.count = count
  }

  package var words: [String] { [path, mode.rawValue, "\(seed)", step?.name ?? "", "\(count)"] }

  init?(words: [String]) {
    guard words.count == 5, let mode = Mode(rawValue: words[1]), let seed = UInt64(words[2]),
      let count = Int(words[4])
    else { return nil }
    self.init(
      path: words[0], mode: mode, seed: seed, step: words[3].isEmpty ? nil : Step(words[3]),
      count: count)
  }
}
