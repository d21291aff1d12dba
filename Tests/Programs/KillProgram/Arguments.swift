/// What the program is started with: six words.
package struct Arguments: Sendable {
  package let path: String
  package let workload: Workload
  package let mode: Mode
  package let seed: UInt64
  /// The step at which the program ends; nil for one that works until it is ended.
  package let step: Step?
  /// The how manyeth such step it is.
  package let count: Int

  package init(
    path: String, workload: Workload = .calls, mode: Mode, seed: UInt64, step: Step? = nil,
    count: Int = 0
  ) {
    self.path = path
    self.workload = workload
    self.mode = mode
    self.seed = seed
    self.step = step
    self.count = count
  }

  package var words: [String] {
    [path, workload.rawValue, mode.rawValue, "\(seed)", step?.name ?? "", "\(count)"]
  }

  init?(words: [String]) {
    guard words.count == 6, let workload = Workload(rawValue: words[1]),
      let mode = Mode(rawValue: words[2]), let seed = UInt64(words[3]), let count = Int(words[5])
    else { return nil }
    self.init(
      path: words[0], workload: workload, mode: mode, seed: seed,
      step: words[4].isEmpty ? nil : Step(words[4]), count: count)
  }
}
