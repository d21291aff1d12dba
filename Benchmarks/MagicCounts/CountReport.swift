import CMagicSQLite
import Counting
import Foundation
import Workloads

/// The counts as JSON.
struct CountReport: Encodable {
  let subjects: [Row]
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  let sqlite = String(cString: sqlite3_libversion())

  struct Row: Encodable {
    let name: String
    let title: String
    /// The costs of each operation, by engine.
    let costs: [String: [Measure: Double]]
    /// The ratio of the instructions of the library to those of its base.
    let ratio: Double?
    let comparedTo: String
  }

  init(_ counts: Counts) {
    subjects = counts.subjects.map { subject in
      let costs = Subject.engines.compactMap { engine in
        counts.costs(of: subject.name, on: engine.name).map { (engine.name, $0) }
      }
      return Row(
        name: subject.name, title: subject.title,
        costs: Dictionary(uniqueKeysWithValues: costs), ratio: counts.ratio(subject),
        comparedTo: subject.base ?? Subject.engines[0].name)
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }
}
