import Counting
import MagicDataEngine
import Workloads

/// What each operation takes, by subject, engine and measure.
struct Counts {
  let subjects: [Subject]
  private var costs: [String: [String: [Measure: Double]]] = [:]
  /// Who did not count the same in each run.
  private(set) var inexact: [String] = []

  /// - Parameter measures: those that could be counted here.
  init(_ subjects: [Subject], _ trials: [Trial], measures: [Measure]) {
    self.subjects = subjects
    for trial in trials {
      let counted = trial.costs.filter { measures.contains($0.key) }
      costs[trial.subject, default: [:]][trial.engine, default: [:]].merge(counted) { $1 }
      if !trial.isExact { inexact.append("\(trial.subject) on \(trial.engine)") }
    }
  }

  func costs(of subject: String, on engine: String) -> [Measure: Double]? {
    costs[subject]?[engine]
  }

  /// What the library takes.
  var ofLibrary: [String: [Measure: Double]] { costs.compactMapValues { $0[MagicDataEngine.name] } }

  /// The library's instructions in those of what it is compared to.
  func ratio(_ subject: Subject) -> Double? {
    let base =
      if let other = subject.base {
        costs(of: other, on: MagicDataEngine.name)
      } else {
        costs(of: subject.name, on: Subject.engines[0].name)
      }
    guard let base = base?[.instructions],
      let own = costs(of: subject.name, on: MagicDataEngine.name)?[.instructions]
    else { return nil }
    return own / base
  }
}
