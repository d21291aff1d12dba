import Foundation
import MagicData
import MagicTestSupport

/// Runs many tasks on one database for some time, and checks the final state.
struct Soak: Sendable {
  let settings: Settings
  let ledger = Ledger()
  private let meter: Meter

  init(_ settings: Settings) {
    self.settings = settings
    meter = Meter(settings.path)
  }

  /// - Returns: The violations that were found.
  func run() async -> [String] {
    do {
      let states = try await work()
      guard ledger.findings.isEmpty else { return ledger.findings }
      for finding in meter.growth { ledger.note(finding) }
      try await checkClosed(states)
    } catch {
      ledger.note("\(error)")
    }
    return ledger.findings
  }

  var figures: String {
    """
    calls: \(ledger.callCount) in \(Int(settings.seconds)) s: \(ledger.callFigures)
    checks: \(ledger.checkFigures)
    medians of the quarters, after \(Int(settings.warmUp)) s:
    \(meter.figures)
    """
  }

  private func work() async throws -> [CrateState] {
    let magic = try await MagicData(path: settings.path)
    try await Bank(magic, ledger, settings.mode).open()
    let census = Census(magic, ledger, settings.mode)
    async let counted = census.run()
    let states = await withTaskGroup(of: [CrateState].self) { group in
      for task in 0..<Settings.tasks {
        group.addTask { await Worker(task, magic, ledger, settings).run() }
      }
      for number in 0..<4 {
        group.addTask {
          await ObservingTask(magic: magic, ledger: ledger, number: number).run()
          return []
        }
      }
      let maintenance = Maintenance(magic: magic, ledger: ledger, settings: settings)
      for operation in [
        maintenance.verify, maintenance.backUp, maintenance.openAgain, maintenance.useStore,
      ] {
        group.addTask {
          await operation()
          return []
        }
      }
      group.addTask {
        await measure()
        return []
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    try await checkOpen(magic)
    await magic.close()
    try checkCounted(await counted)
    return states
  }

  private func measure() async {
    let end = ContinuousClock.now + .seconds(settings.seconds)
    try? await Task.sleep(for: .seconds(settings.warmUp))
    while ContinuousClock.now < end, !ledger.isDone {
      meter.measure()
      try? await Task.sleep(for: .seconds(settings.interval))
    }
    ledger.end()
  }

  private func checkOpen(_ magic: MagicData) async throws {
    let report = try await magic.verify()
    guard report.findings.isEmpty else { throw Finding("verify in the end: \(report)") }
    _ = try await Bank(magic, ledger, .sound).checkSum()
  }

  private func checkCounted(_ counted: (rows: Set<ZIndex>, commits: Int)) throws {
    guard ledger.findings.isEmpty else { return }
    let beats = ledger.acknowledged
    // The first commit of each task inserts its counter.
    let commits = beats.values.reduce(0, +) + Settings.tasks
    try ledger.check(
      "census", counted.commits == commits && counted.rows.count >= beats.count,
      "an observer received \(counted.commits) of \(commits) commits")
  }

  /// Checks the stored state after all handles are closed.
  private func checkClosed(_ states: [CrateState]) async throws {
    let magic = try await MagicData(path: settings.path)
    let crates = try await magic.object(of: Crate.self)
    try ledger.check(
      "opened again", crates.count == states.count, "\(crates.count) crates, not \(states.count)")
    let expected = Dictionary(uniqueKeysWithValues: states.map { ($0.number, $0) })
    var files: Set<String> = []
    for crate in crates {
      let state = try await CrateState.read(crate)
      try ledger.check("opened again", state == expected[state.number], "\(state) is stored")
      for path in [crate.photo.path, crate.notes?.path].compactMap({ $0?.path }) {
        files.insert(path.split(separator: "/").suffix(2).joined(separator: "/"))
      }
    }
    let parcels = try await magic.query(Parcel.self).count()
    let expectedParcels = states.reduce(0) { $0 + $1.allParcels.count }
    try ledger.check(
      "opened again", parcels == expectedParcels, "\(parcels) parcels, not \(expectedParcels)")
    await magic.close()
    let folder = URL(fileURLWithPath: settings.path + "-assets", isDirectory: true)
    if settings.mode == .leavesFile {
      try Data(count: 9).write(to: folder.appendingPathComponent("x"))
    }
    let left = filesLeft(in: folder, used: files, known: EmptyCollection<String>())
    try ledger.check("files", left.isEmpty, "\(left)")
  }
}
