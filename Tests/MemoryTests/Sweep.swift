import CMemory
import Foundation
import MagicData
import MagicStore
import MagicTestSupport

/// Runs a scenario repeatedly and refuses SQLite's first request for memory, then its second, and
/// so on. Each request is refused once alone, and once together with all later requests.
struct Sweep {
  let scenario: Scenario
  /// The maximum number of requests to refuse in each way, spread over all requests.
  let limit: Int
  private let directory: URL
  private let before: DatabaseDump
  private let after: DatabaseDump
  /// The number of requests of a run.
  private(set) var requestCount = 0
  private(set) var points = 0
  private(set) var errors = 0
  private(set) var findings: [String] = []

  private var original: String { directory.appendingPathComponent("original.sqlite3").path }
  private var path: String { directory.appendingPathComponent("test.sqlite3").path }

  init(_ scenario: Scenario, limit: Int, in directory: URL) throws {
    self.scenario = scenario
    self.limit = limit
    self.directory = directory
    let original = directory.appendingPathComponent("original.sqlite3").path
    let path = directory.appendingPathComponent("test.sqlite3").path
    try Samples.make(at: original)
    try Samples.copy(original, to: path)
    before = try DatabaseDump(of: path)
    let store = try MagicObjectStore.open(.file(path), options: Samples.options)
    try scenario.run(store)
    store.close()
    after = try DatabaseDump(of: path)
    if before.differences(from: after).isEmpty == scenario.isWriting {
      findings.append("\(scenario.name) has no effect, or changes the database unexpectedly")
    }
  }

  /// Refuses one request after the other.
  mutating func run() throws {
    let count = try requests()
    requestCount = count
    let step = max(1, count / limit)
    for position in stride(from: 1, through: count, by: step) {
      for isLasting in [false, true] {
        do {
          try refuse(position, isLasting)
        } catch {
          findings.append("\(scenario.name), request \(position): \(error)")
        }
      }
    }
  }

  private func requests() throws -> Int {
    try Samples.copy(original, to: path)
    let store =
      try scenario.isOpen ? MagicObjectStore.open(.file(path), options: Samples.options) : nil
    cmemory_fail(0, false)
    try run(store)
    let count = cmemory_requests()
    store?.close()
    return count
  }

  private func run(_ store: MagicObjectStore?) throws {
    if let store { return try scenario.run(store) }
    let store = try MagicObjectStore.open(.file(path), options: Samples.options)
    defer { store.close() }
    try scenario.run(store)
  }

  private mutating func refuse(_ position: Int, _ isLasting: Bool) throws {
    points += 1
    let place = "\(scenario.name), request \(position)\(isLasting ? " and all later" : ""): "
    try Samples.copy(original, to: path)
    let store =
      try scenario.isOpen ? MagicObjectStore.open(.file(path), options: Samples.options) : nil
    cmemory_fail(position, isLasting)
    let result = Result { try run(store) }
    cmemory_heal()
    if cmemory_refusals() == 0 { findings.append(place + "nothing was refused") }
    if case .failure(let error) = result {
      errors += 1
      guard (error as? MagicError)?.code == .outOfMemory else {
        findings.append(place + "\(error)")
        return
      }
      // The stored state is unchanged, and the same store continues to work.
      let dump = try DatabaseDump(of: path)
      findings += dump.faults.map { place + $0 }
      let changed = before.differences(from: dump)
      if !changed.isEmpty { findings.append(place + "stored in part: \(changed)") }
      try run(store)
    }
    store?.close()
    let dump = try DatabaseDump(of: path)
    findings += (dump.faults + dump.leftovers).map { place + $0 }
    let missing = after.differences(from: dump)
    if !missing.isEmpty { findings.append(place + "not stored: \(missing)") }
    try verify(place)
  }

  private mutating func verify(_ place: String) throws {
    let store = try MagicObjectStore.open(.file(path), options: Samples.options)
    defer { store.close() }
    let report = try store.verify()
    findings += report.findings.map { place + "\($0)" }
  }
}
