import CTwin
import MagicDataEngine
import Workloads

/// A kind of operation that is counted with few and with many operations. One-time costs are in
/// both counts, so the difference does not contain them.
struct Subject: Sendable {
  /// The name in tables: `W4`.
  let name: String
  let title: String
  /// Whether the memory of fetched objects is measured.
  var isWeighed = false
  /// The name of the subject whose instructions are the base of the ratio; nil for the C twin's.
  var base: String?
  let source: Source

  enum Source: Sendable {
    /// A workload with a number of people, for both engines.
    case workload(Workload, people: Int)
    /// Saves in memory, with observers.
    case observers(Observers.Kind, saves: Int)
  }

  /// Every subject in the order of tables.
  ///
  /// - Parameter scale: The factor of the smallest sizes.
  static func all(scale: Int) -> [Subject] {
    let names: Set = [
      "W1", "W2", "W3", "W3u", "W4", "W4m", "W5", "W6", "W6n", "W8", "W9", "W10", "W7s", "W7e",
      "W7r", "Q1", "Q2", "Q3", "Q5", "Q6", "Q7", "Q8", "Q9", "L1", "L2", "T1s", "T1", "T2s", "T2",
      "T3s", "T3", "T4",
      "T5", "T6",
    ]
    let weighed: Set = ["W3", "W3u", "W7e"]
    let workloads = Workload.all.filter { names.contains($0.name) }.map { workload in
      Subject(
        name: workload.name, title: titles[workload.name] ?? workload.title,
        isWeighed: weighed.contains(workload.name),
        source: .workload(workload, people: people(workload.name) * scale))
    }
    let observed = Observers.Kind.allCases.map { kind in
      Subject(
        name: kind.rawValue, title: kind.title, base: Observers.Kind.none.rawValue,
        source: .observers(kind, saves: 500 * scale))
    }
    return workloads + observed
  }

  /// The number of people of a workload.
  private static func people(_ workload: String) -> Int {
    switch workload {
    // One of 50 people is saved.
    case "W2": 20_000
    // Each package has several join rows.
    case "Q1", "Q2", "Q3": 1_000
    default: 2_000
    }
  }

  /// The titles of workloads that differ in this small form without a disk.
  private static let titles = [
    "W2": "saves one by one", "W5": "awaited filters by an indexed property",
  ]

  /// The engines that are counted.
  static let engines: [any Engine.Type] = [CTwin.self, MagicDataEngine.self]
}
