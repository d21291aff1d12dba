import CTwin
import MagicDataEngine
import Workloads

/// Something of which the operations are counted, few of them and many: what comes once is in both, and
/// falls away in the difference.
struct Subject: Sendable {
  /// As in tables: `W4`.
  let name: String
  let title: String
  /// Whether what it fetches is weighed.
  var isWeighed = false
  /// The name of the subject to whose instructions the library's are compared; nil for the C twin's.
  var base: String?
  let source: Source

  enum Source: Sendable {
    /// A workload of so many people, for both engines.
    case workload(Workload, people: Int)
    /// Saves of which some are observed, in memory.
    case observers(Observers.Kind, saves: Int)
  }

  /// Every subject in the order of tables.
  ///
  /// - Parameter scale: how many times the smallest sizes.
  static func all(scale: Int) -> [Subject] {
    let names: Set = [
      "W1", "W2", "W3", "W3u", "W4", "W5", "W6", "W6n", "W7s", "W7e", "W7r", "Q1", "Q2", "Q3",
      "L1", "L2",
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
        name: kind.rawValue, title: kind.title, base: Observers.Kind.nobody.rawValue,
        source: .observers(kind, saves: 500 * scale))
    }
    return workloads + observed
  }

  /// The people of a workload, or the packages and a few more.
  private static func people(_ workload: String) -> Int {
    switch workload {
    // One of 50 is saved.
    case "W2": 20_000
    // Each has several links.
    case "Q1", "Q2", "Q3": 1_000
    default: 2_000
    }
  }

  /// Of those that are another thing in small, and without the disk.
  private static let titles = [
    "W2": "saves one by one", "W5": "awaited filters by an indexed property",
  ]

  /// The engines that are counted.
  static let engines: [any Engine.Type] = [CTwin.self, MagicDataEngine.self]
}
