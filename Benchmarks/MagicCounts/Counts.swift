import Counting
import MagicDataEngine
import Workloads

/// The costs of each operation, by subject, engine and measure.
struct Counts {
  let subjects: [Subject]
  private var costs: [String: [String: [Measure: Double]]] = [:]
  /// The engines and subjects whose runs have different counts.
  private(set) var inexact: [String] = []

  /// - Parameter measures: The measures that can be counted on this system.
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

  /// The costs of the library.
  var ofLibrary: [String: [Measure: Double]] { costs.compactMapValues { $0[MagicDataEngine.name] } }

  /// The ratio of the instructions of the library to those of its base.
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
