/// The six command-line arguments of the program.
package struct Arguments: Sendable {
  package let path: String
  package let workload: Workload
  package let mode: Mode
  package let seed: UInt64
  /// The step at which the program kills itself; nil if it works until the test kills it.
  package let step: Step?
  /// The number of times that the program reaches the step, from 1, until it kills itself.
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
