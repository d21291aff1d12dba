import KillProgram
import MagicTestSupport

/// The point at which the program of a round is to end: it kills itself at a step, or the test kills it.
struct Ending {
  /// The step at which the program kills itself; nil if the test kills it.
  let step: Step?
  /// The number of times that the program reaches the step until it kills itself.
  let count: Int
  /// The milliseconds until the test kills the program; nil if it kills itself.
  let delay: Int?

  private init(step: Step? = nil, count: Int = 0, delay: Int? = nil) {
    (self.step, self.count, self.delay) = (step, count, delay)
  }

  static func at(_ step: Step, number: Int) -> Ending { Ending(step: step, count: number) }

  /// - Parameters:
  ///   - steps: the steps at which rounds end, in turn, each with the greatest count.
  ///   - turn: the number of steps that earlier rounds have used.
  static func inTurn(
    _ steps: [(step: Step, most: Int)], _ turn: Int, using random: inout SeededRandom
  ) -> Ending {
    let (step, most) = steps[turn % steps.count]
    return .at(step, number: Int.random(in: 1...most, using: &random))
  }

  static func killed(within milliseconds: Int, using random: inout SeededRandom) -> Ending {
    Ending(delay: Int.random(in: 0...milliseconds, using: &random))
  }

  /// Runs the program until it has ended, and counts the round.
  func run(
    _ path: String, _ workload: Workload, _ mode: Mode, seed: UInt64,
    countingIn endings: inout EndingCounts
  ) throws -> Child {
    let child = try Child(
      Arguments(
        path: path, workload: workload, mode: mode, seed: seed, step: step, count: count),
      killedAfter: delay)
    endings.note(self, child)
    return child
  }

  /// Describes where the program was to end, and where it has ended.
  func text(_ child: Child) -> String {
    guard let step else { return "killed after \(delay ?? 0) ms" }
    return "ended at \(child.step?.name ?? "the end"), number \(count) of \(step.name)"
  }
}

/// The number of rounds, by the points at which their programs have ended.
struct EndingCounts {
  private(set) var rounds = 0
  /// The rounds that the test killed, and those whose program was to kill itself at a step.
  private(set) var killed = 0
  private(set) var stepped = 0
  /// The rounds whose program completed.
  private(set) var done = 0
  /// The number of rounds that ended at each step.
  private(set) var steps: [Step: Int] = [:]

  fileprivate mutating func note(_ ending: Ending, _ child: Child) {
    rounds += 1
    if ending.step == nil { killed += 1 } else { stepped += 1 }
    if let step = child.step { steps[step, default: 0] += 1 }
    if child.isDone { done += 1 }
  }

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "killed by the test \(killed), completed \(done), killed at steps: \(steps)"
  }
}
